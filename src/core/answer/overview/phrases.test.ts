import { expect, test } from 'vitest'
import { makeColumn, makeTable } from '../../../../test/fixtures/make-table.ts'
import type { Table, TableColumn } from '../../../contract/tables.ts'
import { classify } from './classify.ts'
import { choosePlans, planOne } from './table.ts'

/** Wednesday. */
const now = new Date(2026, 10, 25, 15, 0).getTime()

type Given = [original: string, type: TableColumn['type'], values?: string[], more?: Partial<TableColumn>]

function table(path: string, columns: Given[]): Table {
  const made = columns.map(([original, type, some, more = {}], index) => {
    // Each row has a name of its own.
    const values =
      index > 0 || some === undefined ? some : [...some, ...Array.from({ length: 10 - some.length }, (_none, row) => `${original}~${row}`)]
    const isFirst = columns.findIndex(([other]) => other === original) === index
    return { ...makeColumn(isFirst ? original : `${original}_2`, original, type, values), ...more }
  })
  return makeTable(path.replace(/\.\w+$/, ''), `/a/${path}`, made)
}

const tables = [
  table('orders.csv', [
    ['Order', 'text', ['O-1', 'O-2']],
    ['Region', 'text', ['EU', 'US', 'Asia Pacific']],
    ['City', 'text', ['Berlin', 'Boston']],
    ['Status', 'text', ['open', 'shipped', 'cancelled']],
    ['Amount', 'decimal'],
    ['Quantity', 'integer'],
    ['Date', 'date'],
  ]),
  table('contracts.csv', [
    ['Contract', 'text', ['C-1', 'C-2']],
    ['Supplier', 'text', ['Acme', 'Globex']],
    ['Start date', 'date'],
    ['End date', 'date'],
    ['Fee', 'integer', [], { units: ['$'] }],
  ]),
  table('员工.xlsx', [
    ['姓名', 'text', ['李伟', '王芳']],
    ['部门', 'text', ['研发部', '市场部']],
    ['城市', 'text', ['杭州', '上海']],
    ['工资', 'integer', [], { units: ['¥', ''] }],
    ['入职日期', 'date'],
  ]),
  table('采购合同.xlsx', [
    ['合同编号', 'text', ['HT-01', 'HT-02']],
    ['供应商', 'text', ['华安公司', '宏达集团']],
    ['金额', 'integer', [], { units: ['¥'] }],
    ['签订日期', 'date'],
    ['到期日期', 'date'],
  ]),
  table('invoices.csv', [
    ['Invoice', 'text', ['I-1']],
    ['Client', 'text', ['Initech', 'Hooli']],
    ['Total', 'integer', [], { units: ['$', '€'], unitIn: 'Total_unit' }],
  ]),
  table('weights.csv', [
    ['Parcel', 'text', ['P-1']],
    ['Weight', 'text', ['5 kg', '300 g'], { stray: { of: 'number', cells: 2, example: '5 kg' } }],
  ]),
  table('库存.csv', [
    ['品名', 'text', ['电缆', '插座']],
    ['数量', 'integer'],
    ['仓库', 'text', ['东仓', '西仓']],
  ]),
]

function understood(question: string): string {
  if (classify(question, { now, folders: [], document: () => null }).kind !== 'table') return 'no table'
  const chosen = choosePlans(tables.flatMap((each) => planOne(question, each, now) ?? []))
  if (chosen === null) return 'no table'
  if ('why' in chosen) return `not: ${chosen.why.code}${chosen.why.code === 'words' ? ` ${chosen.why.words.join(', ')}` : ''}`
  const { table: of, aggregate, column, groups, extreme, conditions, assumed } = chosen[0]!
  const where = conditions.map(
    (each) => `${each.column} ${each.operator} ${each.values.map((value) => String(value).replace('\uffff', '…')).join('|')}`,
  )
  return [
    `${of.table}: ${aggregate}${column === null ? '' : ` ${column.original}`}`,
    ...(where.length === 0 ? [] : [`if ${where.join(' & ')}`]),
    ...(groups.length === 0 ? [] : [`per ${groups.map(({ original }) => original).join(' & ')}`]),
    ...(extreme === null ? [] : [extreme]),
    ...(assumed ? ['assumed'] : []),
  ].join(', ')
}

test.each<[string, string]>([
  // Rows.
  ['How many orders are there?', 'orders: count'],
  ['How many orders in total?', 'orders: count'],
  ['What is the total number of orders?', 'orders: count'],
  ['How many orders do we have altogether?', 'orders: count'],
  ['Count the orders', 'orders: count'],
  ['How many rows are in orders.csv?', 'orders: count'],
  ['员工一共有多少人？', '员工: count'],
  ['员工总数是多少？', '员工: count'],
  ['员工合计多少人？', '员工: count'],
  ['员工人数', '员工: count'],
  ['统计一下员工数量', '员工: count'],
  ['采购合同共有几份？', '采购合同: count'],
  // Different values.
  ['How many different suppliers are there in contracts?', 'contracts: distinct Supplier'],
  ['How many distinct cities are in the orders?', 'orders: distinct City'],
  ['采购合同里有多少个不同的供应商？', '采购合同: distinct 供应商'],
  // Sums.
  ['What is the sum of amount in orders?', 'orders: sum Amount'],
  ['Add up the amount of all orders', 'orders: sum Amount'],
  ['What do the orders amount to altogether?', 'orders: sum Amount, assumed'],
  ['How much are the orders in total?', 'orders: sum Amount, assumed'],
  ['Total quantity of orders', 'orders: sum Quantity'],
  ['What is the combined amount of open orders?', 'orders: sum Amount, if Status in open'],
  ['What is the total fee of contracts with Acme?', 'contracts: sum Fee, if Supplier in Acme'],
  ['How many quantity in total in orders from Boston?', 'orders: sum Quantity, if City in Boston'],
  ['员工的工资之和是多少？', '员工: sum 工资'],
  ['员工工资合计多少？', '员工: sum 工资'],
  ['员工的工资总和', '员工: sum 工资'],
  ['员工工资总额是多少', '员工: sum 工资'],
  ['所有员工的工资加起来是多少？', '员工: sum 工资'],
  ['研发部员工的工资加在一起有多少', '员工: sum 工资, if 部门 in 研发部'],
  ['员工工资一共多少钱？', '员工: sum 工资'],
  ['员工总工资是多少？', '员工: sum 工资'],
  ['采购合同金额合计是多少？', '采购合同: sum 金额'],
  ['采购合同总金额', '采购合同: sum 金额'],
  ['采购合同总额是多少', '采购合同: sum 金额, assumed'],
  ['工资总和是多少？', '员工: sum 工资'],
  ['库存数量之和是多少？', '库存: sum 数量'],
  ['东仓的库存数量是多少？', '库存: sum 数量, if 仓库 in 东仓, assumed'],
  // Averages.
  ['What is the average amount of orders?', 'orders: average Amount'],
  ['What is the mean fee of the contracts?', 'contracts: average Fee'],
  ['How much is the fee of contracts on average?', 'contracts: average Fee'],
  ['员工平均工资是多少？', '员工: average 工资'],
  ['市场部员工的工资平均是多少', '员工: average 工资, if 部门 in 市场部'],
  // Extremes.
  ['Which contract ends first?', 'contracts: min End date'],
  ['Which contract ends last?', 'contracts: max End date'],
  ['Which contract started earliest?', 'contracts: min Start date'],
  ['Which contract has the lowest fee?', 'contracts: min Fee'],
  ['What is the highest amount in orders?', 'orders: max Amount'],
  ['哪个采购合同最早到期？', '采购合同: min 到期日期'],
  ['最先到期的采购合同是哪个', '采购合同: min 到期日期'],
  ['最晚签订的采购合同是哪一份', '采购合同: max 签订日期'],
  ['采购合同里金额最高的是哪个？', '采购合同: max 金额'],
  ['工资最低的员工是谁？', '员工: min 工资'],
  ['员工的最高工资', '员工: max 工资'],
  // Lists.
  ['List all orders', 'orders: list'],
  ['List all orders from Berlin', 'orders: list, if City in Berlin'],
  ['Which orders are open?', 'orders: list, if Status in open'],
  ['Show all contracts with Globex', 'contracts: list, if Supplier in Globex'],
  ['列出所有员工', '员工: list'],
  ['哪些员工在杭州？', '员工: list, if 城市 in 杭州'],
  ['列出华安公司的采购合同', '采购合同: list, if 供应商 in 华安公司'],
  ['Which orders are over 1000 in amount?', 'orders: list, if Amount > 1000'],
  // Values.
  ['How many orders from the EU are open?', 'orders: count, if Status in open & Region in EU'],
  ['How many orders are from EU or US?', 'orders: count, if Region in EU|US'],
  ['How many orders are not cancelled?', 'orders: count, if Status not in cancelled'],
  ['除了研发部的员工有多少人？', '员工: count, if 部门 not in 研发部'],
  ['杭州研发部有几位员工？', '员工: count, if 部门 in 研发部 & 城市 in 杭州'],
  // Comparisons and ranges.
  ['How many orders have an amount of more than 1,000?', 'orders: count, if Amount > 1000'],
  ['How many orders with quantity of at least 5?', 'orders: count, if Quantity >= 5'],
  ['How many orders with amount under 100 and quantity over 3?', 'orders: count, if Quantity > 3 & Amount < 100'],
  ['How many orders with an amount between 100 and 500?', 'orders: count, if Amount >= 100 & Amount <= 500'],
  ['How many contracts cost no more than $5k?', 'not: words cost'],
  ['How many contracts have a fee of no more than $5k?', 'contracts: count, if Fee <= 5000'],
  ['How many orders have quantity 3?', 'orders: count, if Quantity = 3'],
  ['工资在9000到13000之间的员工有几个？', '员工: count, if 工资 >= 9000 & 工资 <= 13000'],
  ['工资介于1万和2万之间的员工有多少人', '员工: count, if 工资 >= 10000 & 工资 <= 20000'],
  ['工资在1到2万之间的员工有几个？', '员工: count, if 工资 >= 10000 & 工资 <= 20000'],
  ['工资超过1.2万元的员工有多少？', '员工: count, if 工资 > 12000'],
  ['工资不少于9500元的员工有多少人？', '员工: count, if 工资 >= 9500'],
  ['工资不超过９５００元的员工有多少人？', '员工: count, if 工资 <= 9500'],
  ['工资一万元以上的员工有多少人？', '员工: count, if 工资 >= 10000'],
  ['金额在100万元以上的采购合同有几份？', '采购合同: count, if 金额 >= 1000000'],
  ['金额低于1.2亿元的采购合同有几份？', '采购合同: count, if 金额 < 120000000'],
  ['How many orders with an amount between 1900 and 2000?', 'orders: count, if Amount >= 1900 & Amount <= 2000'],
  ['How many orders between 2024 and 2026?', 'orders: count, if Date >= 2024 & Date <= 2026…'],
  // Times.
  ['How many orders were there in November 2026?', 'orders: count, if Date >= 2026-11 & Date <= 2026-11…'],
  ['How many orders before 4 March 2026?', 'orders: count, if Date < 2026-03-04'],
  ['How many orders since March 4th, 2026?', 'orders: count, if Date >= 2026-03-04'],
  ['How many orders after 2026-03-04?', 'orders: count, if Date > 2026-03-04…'],
  ['How many orders between 2026-01-01 and 2026-03-31?', 'orders: count, if Date >= 2026-01-01 & Date <= 2026-03-31…'],
  ['How many orders from January to March 2026?', 'orders: count, if Date >= 2026-01 & Date <= 2026-03…'],
  ['How many orders in Q1 2026?', 'orders: count, if Date >= 2026-01 & Date <= 2026-03…'],
  ['How many orders in 2026?', 'orders: count, if Date >= 2026 & Date <= 2026…'],
  ['How many orders last month?', 'orders: count, if Date >= 2026-10-01 & Date < 2026-11-01'],
  ['Which contracts end before 2027?', 'contracts: list, if End date < 2027'],
  ['Which contracts end in 2026?', 'contracts: list, if End date >= 2026 & End date <= 2026…'],
  ['How many contracts end in 2026?', 'contracts: count, if End date >= 2026 & End date <= 2026…'],
  ['2026年3月4日之前到期的采购合同有几份？', '采购合同: count, if 到期日期 < 2026-03-04'],
  ['二〇二六年三月四日之前到期的采购合同有几份？', '采购合同: count, if 到期日期 < 2026-03-04'],
  ['２０２６年到期的采购合同有几份？', '采购合同: count, if 到期日期 >= 2026 & 到期日期 <= 2026…'],
  ['2026年1月到3月签订的采购合同有几份？', '采购合同: count, if 签订日期 >= 2026-01 & 签订日期 <= 2026-03…'],
  ['2025年第一季度签订的采购合同总金额是多少？', '采购合同: sum 金额, if 签订日期 >= 2025-01 & 签订日期 <= 2025-03…'],
  ['今年入职的员工有多少人？', '员工: count, if 入职日期 >= 2026-01-01 & 入职日期 <= 2026-11-25…'],
  // Groups.
  ['How many orders per city?', 'orders: count, per City'],
  ['Total amount per region', 'orders: sum Amount, per Region'],
  ['How many orders by region and status?', 'orders: count, per Region & Status'],
  ['Average amount for each city in orders', 'orders: average Amount, per City'],
  ['Total amount of open orders by city', 'orders: sum Amount, if Status in open, per City'],
  ['What is the highest amount in each region of orders?', 'orders: max Amount, per Region'],
  ['每个部门有多少员工？', '员工: count, per 部门'],
  ['各部门的工资总和', '员工: sum 工资, per 部门'],
  ['各城市员工的平均工资是多少？', '员工: average 工资, per 城市'],
  ['按部门统计员工人数', '员工: count, per 部门'],
  ['每个供应商的采购合同金额合计', '采购合同: sum 金额, per 供应商'],
  ['Which region has the highest total amount of orders?', 'orders: sum Amount, per Region, max'],
  ['Which city has the most orders?', 'orders: count, per City, max'],
  ['哪个部门的工资总额最高？', '员工: sum 工资, per 部门, max'],
  ['哪个部门的员工人数最多？', '员工: count, per 部门, max'],
])('%s → %s', (question, expected) => {
  expect(understood(question)).toBe(expected)
})

test.each<[string, string]>([
  ['How many orders are from Spain?', 'not: words spain'],
  ['西班牙的订单 orders 有多少？', 'not: words 西班牙'],
  ['What is the sum of orders and contracts?', 'not: words contracts'],
  ['What is the sum of contracts?', 'contracts: sum Fee, assumed'],
  ['What is the sum of weights?', 'not: not-numbers'],
  ['What is the sum of the employees in orders?', 'not: words employees'],
  ['How many orders are from EU or open?', 'not: either-or'],
  ['What are the highest and the lowest amount in orders?', 'not: several-asks'],
  ['How many orders before 03/04/2026?', 'not: ambiguous-date'],
  ['How many orders before 25/12/2026?', 'orders: count, if Date < 2026-12-25'],
  ['How many invoices have a total over 500?', 'not: mixed-units'],
  ['How many invoices have a total over $500?', 'invoices: count, if Total_unit in $ & Total > 500'],
  ['How many contracts after 2026-01-01?', 'not: which-column'],
  ['What is the highest of orders?', 'not: which-column'],
  ['How many orders exclude Berlin?', 'not: words exclude'],
  ['没有发货的 orders 有多少？', 'not: words 没, 发货'],
])('what is not certain is said, or not answered: %s → %s', (question, expected) => {
  expect(understood(question)).toBe(expected)
})
