import { basename, extname } from 'node:path'
import type { Table, TableColumn } from '../../../contract/tables.ts'
import { foldText } from '../../search/search.ts'
import { namePattern, type Reading } from './text.ts'

/** What the rows of sheets are, in the words for it. Each row of this list names one thing. */
const things: readonly (readonly string[])[] = [
  ['合同', '协议', 'contract', 'agreement'],
  ['员工', '职工', '雇员', 'employee', 'staff', 'worker'],
  ['学生', '同学', 'student', 'pupil'],
  ['订单', 'order'],
  ['发票', 'invoice'],
  ['账单', 'bill'],
  ['预订', '预约', 'booking', 'reservation'],
  ['客户', '顾客', 'customer', 'client'],
  ['供应商', 'supplier', 'vendor'],
  ['产品', '商品', '货品', 'product'],
  ['物品', '品名', 'item', 'article'],
  ['物资', '物料', 'material'],
  ['设备', '仪器', 'device', 'machine'],
  ['资产', 'asset'],
  ['项目', 'project'],
  ['会员', 'member'],
  ['车辆', 'vehicle'],
  ['图书', 'book'],
  ['病人', '患者', 'patient'],
  ['付款', 'payment'],
  ['任务', 'task'],
  ['交易', 'transaction'],
]
const [employees, students] = [things[1]!, things[2]!]

/** What is said of a list and not of its rows. */
const kindsOfList = /(?:台账|花名册|名册|名单|清单|一览|列表|明细|登记|汇总|统计|记录|信息|情况|档案|目录|成绩|总|表格?|册|簿|数据|资料)$/
const kindsOfListEnglish = /[\s_-]+(?:list|register|roster|log|ledger|sheet|table|overview|data|records?|summary|report|export)$/
const edition = /^[\d\s年度月季第一二三四上下半份期._\-—()（）]+|[\d\s年度月季._\-—()（）]+$/g

const idEnding =
  /^(?<thing>.{2,6}?)(?:编号|名称|号码|代码|序号|单号|号)$|^(?<english>[a-z][a-z ]+?)[\s_](?:id|no\.?|nr\.?|number|code|name)$/
const rowNumber = /^(?:序号|编号|行号|no\.?|nr\.?|#|id|number)$/

/** Whether each row has a value of its own in a column, as far as its values are known. */
export function isUnique({ values }: TableColumn, table: Table): boolean {
  return values !== null && table.rows > 1 && values.length === table.rows
}

const people = /^(?:姓名|名字|员工姓名|学生姓名|人员|职工|(?:full |employee |student )?name|employee|student|person)$/
const personIds = /工号|学号|身份证|员工编号|(?:employee|student|staff|person(?:nel)?) (?:id|no|number)/
const someone =
  /姓名|人$|客户|顾客|会员|作者|老师|学生|员工|\b(?:name|employee|person|student|guest|client|customer|member|patient|borrower|reader|tenant|author|owner|contact|seller|buyer|teacher)\b/

/** The column that names the person that a row is of; null where rows are no people. */
export function personColumn(table: Table): TableColumn | null {
  return table.columns.find(({ original, type }) => type === 'text' && people.test(foldText(original).trim())) ?? null
}

/** Whether a row has to do with somebody: only then can "who" be answered. */
export function hasSomeone(table: Table): boolean {
  return someoneColumn(table) !== null
}

/** Whom "who" asks for. */
export function someoneColumn(table: Table): TableColumn | null {
  const named = table.columns.find(({ original, type }) => type === 'text' && someone.test(foldText(original).trim()))
  return personColumn(table) ?? named ?? null
}

/** Rows that happen on a day: "the latest order" needs no name of a column. */
export function isEvent(subject: string | null): boolean {
  return (
    subject !== null &&
    /order|invoice|bill|booking|reservation|payment|transaction|contract|claim|loan|订单|发票|账单|预订|预约|付款|交易|合同|报销/.test(
      subject,
    )
  )
}

/** One row of the table is one person. */
export function isOfPeople(table: Table): boolean {
  const person = personColumn(table)
  if (person === null) return false
  return isUnique(person, table) || table.columns.some(({ original }) => personIds.test(foldText(original))) || person.values === null
}

/** The nouns for a row of the table: 合同 of 合同台账, "order" of "Order ID", 员工 where people have wages. */
export function subjectsOf(table: Table): string[] {
  let subjects = known.get(table)
  if (subjects === undefined) known.set(table, (subjects = findSubjects(table)))
  return subjects
}

const known = new WeakMap<Table, string[]>()

function findSubjects(table: Table): string[] {
  const found = new Set<string>()
  const files = table.documents.map(({ path }) => basename(path, extname(path)))
  for (const name of [table.sheet, table.title ?? '', ...files].map((each) => foldText(each))) {
    let bare = name.replace(edition, '').trim()
    for (let cut = bare; ; bare = cut) {
      cut = bare.replace(kindsOfList, '').replace(kindsOfListEnglish, '').replace(edition, '').trim()
      if (cut === bare || cut === '') break
    }
    if (bare !== name && isNoun(bare)) found.add(bare)
    for (const thing of things.flat())
      if (/[\u3400-\u9fff]/.test(thing) && bare.length > thing.length && bare.endsWith(thing)) found.add(thing)
  }
  const first = table.columns.find(({ original }) => original !== '' && !rowNumber.test(foldText(original).trim()))
  for (const column of table.columns) {
    const name = foldText(column.original).trim()
    const isOwn = isUnique(column, table) || (column === first && (column.values === null || column.values.length >= table.rows))
    if (column.type !== 'text' || (!isOwn && column !== first)) continue
    const { thing, english } = idEnding.exec(name)?.groups ?? {}
    const noun = thing ?? english
    if (noun !== undefined && isNoun(noun)) found.add(noun)
    else if (isOwn && isNoun(name) && !people.test(name) && /^[a-z]+$|^[\u3400-\u9fff]+$/.test(name)) found.add(name)
  }
  if (personColumn(table) !== null) {
    const heads = table.columns.map(({ original }) => foldText(original)).join(' ')
    if (/学号|班级|\bgrade\b|student/.test(heads)) for (const word of students) found.add(word)
    else if (/工号|工资|薪|入职|职位|\b(?:salary|wage|employee|hired)\b/.test(heads)) for (const word of employees) found.add(word)
  }
  for (const noun of [...found]) {
    const same = things.find((words) => words.includes(noun) || words.includes(noun.replace(/s$/, '')))
    for (const word of same ?? []) found.add(word)
  }
  return [...found].sort((one, other) => other.length - one.length)
}

function isNoun(text: string): boolean {
  return /^[\u3400-\u9fff]{2,6}$/.test(text) || /^[a-z][a-z ]{2,30}$/.test(text)
}

/** Takes the nouns for rows away; the first of them as the question has it, or null. */
export function takeSubjects(reading: Reading, table: Table): string | null {
  let found: string | null = null
  for (const noun of subjectsOf(table)) {
    const pattern = namePattern(noun)
    if (pattern === null) continue
    for (let word = reading.take(pattern); word !== null; word = reading.take(pattern)) found ??= word[0]
    // "Nights that were booked" are of bookings.
    const stem = /^[a-z]{4,}$/.test(noun) && !hasUndone(table) ? noun.replace(/(?:ing|s)$/, '') : ''
    if (stem.length >= 4) {
      const verb = reading.take(new RegExp(`\\b${stem}(?:ed|ing)\\b`))
      if (verb !== null) found ??= verb[0]
    }
  }
  return found
}

/** Some rows were taken back: "booked" may be said of the others alone. */
function hasUndone({ columns }: Table): boolean {
  return columns.some(({ values }) => values?.some((value) => /cancel|void|withdrawn|refund|取消|作废|撤销|终止|退/i.test(value)) === true)
}
