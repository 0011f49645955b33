import { basename } from 'node:path'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { overviewHomes } from '../../../../test/fixtures/open-overview.ts'

const { begin, ...homes } = overviewHomes()
// Many questions over real processes, on a machine that may be busy.
vi.setConfig({ testTimeout: 180_000 })
afterEach(() => homes.close())
afterAll(() => homes.clear())

const firstLine = (answer: string): string => (answer.split('\n')[0] ?? '').replace(/(?: ?\[\d+\])+$/, '')

test('a sum is a sum, in whatever words and with whatever signs the cells are written', async () => {
  const home = await begin({
    '员工.csv':
      '姓名,部门,工资,入职日期\n李伟,研发部,"￥12,000",2021年3月4日\n王芳,市场部,"¥9,500",2019-07-01\n赵敏,研发部,1.5万元,二〇二三年五月六日\n陈刚,财务部,"８，８００元",2020/1/5\n',
    '合同.csv':
      '合同编号,金额,到期日期\nHT-01,12万元,2026年3月4日\nHT-02,"350,000元",2026年1月31日\nHT-03,1.2亿,2027年12月31日\nHT-04,"(2,000)元",2026年6月30日\n',
    'rechnungen.csv': 'Rechnung;Kunde;Betrag\nR-1;Meier;1.234,56\nR-2;Schulz;99,90\nR-3;Meier;12.000,00\n',
    'orders.csv': 'Order,City,Amount,Share\nO-1,Berlin,"1,200.50",10%\nO-2,Boston,80,20%\nO-3,Berlin,"(1,200)",6%\n',
  })
  for (const question of ['员工的工资之和是多少？', '员工工资合计', '所有员工的工资加起来有多少', '员工总工资是多少？', '工资总和是多少？'])
    expect(firstLine((await home.ask(question)).answer)).toBe('工资的合计是 ¥45,300。')
  expect(firstLine((await home.ask('合同金额合计是多少？')).answer)).toBe('金额的合计是 ¥120,468,000。')
  expect((await home.ask('哪个合同最早到期？')).answer).toContain('HT-02')
  const german = await home.ask('What is the sum of Betrag in rechnungen for Meier?')
  expect(firstLine(german.answer)).toBe('The sum of Betrag is 13,234.56.')
  expect(german.basisOf).toMatchObject({
    of: 'tables',
    understood: 'the sum of Betrag in rechnungen.csv, where Kunde is Meier',
    query: 'SELECT sum("betrag") AS "sum" FROM "rechnungen" WHERE "kunde" = \'Meier\'',
    lookedAt: 3,
    counted: 2,
    rows: [{ row: 2 }, { row: 4 }],
    remarks: ['Betrag: numbers such as 1.234,56 have a decimal comma.'],
  })
  const all = await home.ask('What do the orders amount to altogether?')
  expect(firstLine(all.answer)).toBe('The sum of Amount is 80.5.')
  expect(all.answer).toContain('Understood as: the sum of Amount in orders.csv.')
  expect(firstLine((await home.ask('What is the average share of orders from Berlin?')).answer)).toBe('The average of Share is 8%.')
  expect(firstLine((await home.ask('How many orders have a share of more than 8%?')).answer)).toBe('2 rows.')
  expect(home.searches()).toBe(0)
})

test('a sum over several sheets says what each adds to it', async () => {
  const home = await begin({
    'orders-north.csv': 'City,Amount\nOslo,10\nBergen,20\n',
    'orders-south.csv': 'City,Amount\nRome,5\n',
    'orders-west.csv': 'City,Amount\nPorto,7\nOslo,1\n',
  })
  const sum = await home.ask('What is the total amount of orders?')
  expect(sum.answer.replace(/ ?\[\d\]/g, '')).toBe(
    'The sum of Amount is 43.\n\n- orders-north.csv: 30 (2 rows)\n- orders-south.csv: 5 (1 row)\n- orders-west.csv: 8 (2 rows)',
  )
  expect(sum.basisOf?.message).toBe('Counted in 3 sheets, 5 rows.')
  expect(sum.basisOf?.sheets.map(({ path, counted, value }) => [basename(path), counted, value])).toEqual([
    ['orders-north.csv', 2, '30'],
    ['orders-south.csv', 1, '5'],
    ['orders-west.csv', 2, '8'],
  ])
  const oslo = await home.ask('How many orders are from Oslo?')
  expect(oslo.basisOf?.sheets.map(({ counted, value }) => [counted, value])).toEqual([
    [1, '1'],
    [0, null],
    [1, '1'],
  ])
  // A sheet where nothing is from there counts too.
  expect(firstLine((await home.ask('How many orders are not from Oslo?')).answer)).toBe('3 rows.')
  expect(firstLine((await home.ask('orders 里除了Oslo以外有多少条？')).answer)).toBe('共 3 行。')
  // One that the question does not mean does not.
  expect(firstLine((await home.ask('How many orders in orders-west are from Oslo?')).answer)).toBe('1 row.')
  expect(firstLine((await home.ask('What is the total amount of orders in orders-north?')).answer)).toBe('The sum of Amount is 30.')
})

test('tables of one sheet are counted each under its own header, and told apart by their titles', async () => {
  const home = await begin({
    '盘点.csv':
      '表一 仓库甲,,\n物资,数量,单价\n水泥,5,300\n钢筋,6,400\n,,\n表二 仓库乙,,\n物资,单价,数量\n沙子,50,7\n砖,1,1000\n合计,,1007\n',
  })
  const sum = await home.ask('盘点表中数量合计是多少？')
  expect(sum.answer.replace(/ ?\[\d\]/g, '')).toBe(
    '数量的合计是 1,018。\n\n- 盘点.csv › 表一 仓库甲：11（2 行）\n- 盘点.csv › 表二 仓库乙：1,007（2 行）',
  )
  expect(sum.basisOf?.rows.map(({ row }) => row)).toEqual([3, 4, 8, 9])
  expect(firstLine((await home.ask('仓库乙的数量合计是多少？')).answer)).toBe('数量的合计是 1,007。')
})

test('amounts of several units are never put together', async () => {
  const home = await begin({
    'invoices.csv': 'Invoice,Client,Total\nI-1,Acme,"$1,000"\nI-2,Globex,€500\nI-3,Acme,"¥3,000"\nI-4,Acme,$250\n',
    'payments.csv': 'Payment,Amount,Currency\nP-1,100,USD\nP-2,200,EUR\nP-3,50,usd\n',
    'stock.csv': 'Item,Quantity,Unit\nRice,5,kg\nMilk,7,l\nFlour,2,kg\n',
    '报销（万元）.csv': '项目,金额（万元）\n差旅,1.5\n会议,2\n',
  })
  const mixed = await home.ask('What is the sum of invoices?')
  expect(firstLine(mixed.answer)).toBe(
    'The sum of Total is, for each unit apart: $1,250; ¥3,000; €500. Different units are not put together.',
  )
  expect(firstLine((await home.ask('What is the total of the invoices of Globex?')).answer)).toBe('The sum of Total is €500.')
  expect(firstLine((await home.ask('How many invoices have a total over $500?')).answer)).toBe('1 row.')
  const unnamed = await home.ask('How many invoices have a total over 500?')
  expect(firstLine(unnamed.answer)).toBe(
    'This could not be counted, because Total in invoices.csv holds amounts in $, €, ¥. Name the currency.',
  )
  expect((await home.ask('What is the total amount of payments?')).answer).toContain('€200')
  expect((await home.ask('What is the sum of quantity in stock?')).answer).toContain('7 kg; 7 l')
  expect(firstLine((await home.ask('报销金额合计是多少？')).answer)).toBe('金额（万元）的合计是 3.5 万元。')
})

test('what can be read in two ways is told with what the other way gives', async () => {
  const home = await begin({
    'contracts.csv': 'Contract,End date,Fee\nC-1,03/04/2026,10\nC-2,05/02/2026,20\nC-3,12/01/2027,30\n',
    'leases.csv': 'Lease,End date\nL-1,03/04/2026\nL-2,25/02/2026\n',
    'budget.csv': 'Item,Amount,Amount\nRent,100,90\nFood,50,70\n',
    '到期.csv': '设备,到期日期\n甲,46085\n乙,46000\n',
    'points.csv': 'Item,Score\nA,1.234\nB,2.500\n',
  })
  const ends = await home.ask('Which contract ends first?')
  expect(ends.answer).toContain('C-1 (row 2)')
  expect(ends.answer).toContain(
    'Dates such as 03/04/2026 can be read in two ways; here they are month/day/year. As day/month/year the answer would be: 2026-02-05 (C-2).',
  )
  expect((await home.ask('Which contract ends last?')).answer).toContain('As day/month/year the answer would be: 2027-01-12 (C-3).')
  // One day over twelve tells the order of the whole column.
  const lease = await home.ask('Which lease ends first?')
  expect(lease.answer).toContain('L-2 (row 3)')
  expect(lease.answer).not.toContain('two ways')
  expect((await home.ask('What is the sum of amount in budget?')).answer).toContain(
    'There are 2 columns named Amount; this is number 1 of them from the left. With number 2 the answer would be: 160.',
  )
  const serial = await home.ask('到期.csv 里最早到期的设备是哪个？')
  expect(serial.answer).toContain('2025-12-09')
  expect(serial.basisOf?.remarks).toEqual(['到期日期：像 46085 这样的数字按电子表格的日期序号读。'])
  expect((await home.ask('What is the sum of score in points?')).answer).toContain(
    'With points between thousands the answer would be: 3,734.',
  )
  expect(firstLine((await home.ask('How many contracts end before 03/04/2026?')).answer)).toContain('03/04/2026 can be read in two ways')
})

test('a column is asked for in full, by its short form, or in the other language', async () => {
  const home = await begin({ 'stock.csv': 'Product,Qty\nbolt,5\nnut,7\n', 'sales.csv': 'Client,Quantity\nAda,11\nBo,2\n' })
  expect(firstLine((await home.ask('What is the sum of quantity in stock?')).answer)).toContain('12')
  expect(firstLine((await home.ask('What is the sum of quantities in stock?')).answer)).toContain('12')
  expect(firstLine((await home.ask('What is the total qty in sales?')).answer)).toContain('13')
  expect(firstLine((await home.ask('stock.csv里数量合计是多少？')).answer)).toContain('12')
  expect(firstLine((await home.ask('stock.csv里一共有多少行？')).answer)).toContain('2')
})

test('what a sheet cannot answer is said in one sentence, and zero is an answer', async () => {
  const home = await begin({
    'orders.csv': 'Order,City,Status,Amount,Quantity\nO-1,Berlin,open,10,1\nO-2,Boston,shipped,20,2\n',
    'parcels.csv': 'Parcel,Weight\nP-1,5\nP-2,7\nP-3,three\n',
    'clients.csv': `Client,Note\n${Array.from({ length: 300 }, (_none, index) => `Firma${index}x,${index % 3 === 0 ? 'pays late' : 'fine'}`).join('\n')}\n`,
    'hamburg.md': 'The office in Hamburg had eleven orders.',
  })
  const spain = await home.ask('How many orders are from Spain?')
  expect(spain.outcome).toBe('not-found')
  expect(firstLine(spain.answer)).toBe(
    'This could not be counted, because “Spain” is no column and stands in no cell of orders.csv (2 rows looked at). The columns are Order, City, Status, Amount, Quantity.',
  )
  expect(firstLine((await home.ask('orders 里西班牙的有多少？')).answer)).toBe(
    '无法统计：“西班牙”既不是 orders.csv 的列名，也不在任何单元格里（查了 2 行）。有这些列：Order、City、Status、Amount、Quantity。',
  )
  expect(home.searches()).toBe(0)
  // A document has the word: passages may answer.
  await home.ask('How many orders are from Hamburg?')
  expect(home.searches()).toBe(1)
  expect(firstLine((await home.ask('How many open orders are from Boston?')).answer)).toBe('0 rows.')
  expect(firstLine((await home.ask('What is the total amount of open orders from Boston?')).answer)).toBe(
    'No row that counts has anything in Amount, so there is no result.',
  )
  expect(firstLine((await home.ask('What is the sum of weight in parcels?')).answer)).toBe(
    'This could not be counted, because 1 cell of Weight in parcels.csv is no number, such as “three”.',
  )
  expect(firstLine((await home.ask('What is the lowest in orders?')).answer)).toBe(
    'This could not be counted, because it is not said which column of orders.csv is meant: Amount, Quantity.',
  )
  expect(firstLine((await home.ask('orders.csv')).answer)).toBe(
    'orders.csv: 2 rows, with the columns Order, City, Status, Amount, Quantity.',
  )
  // A column with too many values to know them all is looked through.
  const client = await home.ask('How many rows of clients are from Firma17x?')
  expect(firstLine(client.answer)).toBe('1 row.')
  expect(client.answer).toContain('Understood as: the number of rows in clients.csv, where Client is firma17x.')
})
