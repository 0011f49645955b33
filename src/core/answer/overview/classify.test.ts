import { expect, test } from 'vitest'
import { makeColumn, makeTable } from '../../../../test/fixtures/make-table.ts'
import type { Table, TableColumn } from '../../../contract/tables.ts'
import { classify, type Names, type Overview } from './classify.ts'
import { planTable } from './table.ts'

/** Wednesday. */
const now = new Date(2026, 10, 25, 15, 0).getTime()
const documents: Record<string, number> = {
  'lease.md': 1,
  lease: 1,
  'report.pdf': 2,
  '年度报告.docx': 3,
  年度报告: 3,
  'employee handbook': 4,
}
const names: Names = {
  now,
  folders: [
    { id: 1, name: 'papers' },
    { id: 2, name: '合同' },
  ],
  document: (name) => documents[name.toLowerCase()] ?? null,
}

function table(name: string, path: string, columns: [string, TableColumn['type'], string[]?][]): Table {
  const sqlName = (original: string): string =>
    original.toLowerCase().replace(/\W+/g, (part) => (/[\u3400-\u9fff]/.test(part) ? part : '_'))
  return makeTable(
    name,
    path,
    columns.map(([original, type, values]) => makeColumn(sqlName(original), original, type, values)),
  )
}

const tables = [
  table('orders', '/a/orders.csv', [
    ['Region', 'text', ['EU', 'US', 'Asia Pacific']],
    ['Status', 'text', ['open', 'shipped', 'cancelled']],
    ['Amount', 'decimal'],
    ['Date', 'date'],
  ]),
  table('contracts', '/a/contracts.xlsx', [
    ['Contract', 'text', ['C-1', 'C-2']],
    ['Supplier', 'text', ['Acme', 'Globex']],
    ['End date', 'date'],
    ['Fee', 'integer'],
  ]),
  table('员工', '/a/员工.xlsx', [
    ['姓名', 'text', ['李伟', '王芳', '赵敏', '陈刚', '刘洋', '孙丽', '周杰', '吴凡', '郑爽', '冯远']],
    ['部门', 'text', ['研发部', '市场部']],
    ['工资', 'integer'],
    ['入职日期', 'date'],
  ]),
]

function routed(question: string): string {
  const found: Overview = classify(question, names)
  if (found.kind === 'table') {
    const plan = planTable(question, tables)
    return plan === null ? 'passage' : `table ${plan.aggregate}${plan.groups.length === 0 ? '' : ' grouped'}`
  }
  if (found.kind === 'words') return `words ${found.want}: ${found.words}`
  if (found.kind === 'files') return `files ${found.want}`
  if (found.kind === 'summary') return `summary ${found.target.of}`
  return 'passage'
}

test.each<[string, string]>([
  // Words in the text.
  ['How many times does "force majeure" appear?', 'words occurrences: force majeure'],
  ['How often is the word deposit mentioned?', 'words occurrences: deposit'],
  ['How many times is Li Wei mentioned in the library?', 'words occurrences: Li Wei'],
  ['How many occurrences of "lease" are there?', 'words occurrences: lease'],
  ['Count the mentions of Hangzhou', 'words occurrences: Hangzhou'],
  ['How many documents mention "penalty"?', 'words documents: penalty'],
  ['How many files contain the word invoice?', 'words documents: invoice'],
  ['Which documents mention Hangzhou?', 'words documents: Hangzhou'],
  ['List all documents that mention "rent"', 'words documents: rent'],
  ['Find all mentions of Acme', 'words occurrences: Acme'],
  ['“违约金”出现了多少次？', 'words occurrences: 违约金'],
  ['违约金一共出现了几次', 'words occurrences: 违约金'],
  ['统计违约金出现的次数', 'words occurrences: 违约金'],
  ['有多少份文件提到了违约金？', 'words documents: 违约金'],
  ['多少个文档包含“不可抗力”？', 'words documents: 不可抗力'],
  ['哪些文件提到了杭州？', 'words documents: 杭州'],
  ['列出所有提到李伟的文档', 'words documents: 李伟'],
  // File facts.
  ['How many PDFs are there?', 'files count'],
  ['How many files do I have?', 'files count'],
  ['How many documents are in the library?', 'files count'],
  ['how many spreadsheets have I got', 'files count'],
  ['How many PDF files are in papers?', 'files count'],
  ['How many documents could not be read?', 'files count'],
  ['How many Word documents do I have?', 'files count'],
  ['How many files were added this week?', 'files count'],
  ['有多少个PDF？', 'files count'],
  ['一共有多少份文件？', 'files count'],
  ['我有几个Excel文件？', 'files count'],
  ['合同文件夹里有多少个文件？', 'files count'],
  ['多少文件读取失败？', 'files count'],
  ['List all PDFs', 'files list'],
  ['Show me my presentations', 'files list'],
  ['List the files that failed', 'files list'],
  ['What are the largest files?', 'files list'],
  ['What is the biggest PDF?', 'files list'],
  ['Which file is the largest?', 'files list'],
  ['Which documents are the newest?', 'files list'],
  ['What are the 3 oldest files?', 'files list'],
  ['最大的文件是哪个？', 'files list'],
  ['最大的五个文件', 'files list'],
  ['列出所有PDF文件', 'files list'],
  ['哪些文件读取失败？', 'files list'],
  ['What changed since Monday?', 'files changed'],
  ['What has changed since yesterday?', 'files changed'],
  ['Which files changed this week?', 'files changed'],
  ['What is new since last week?', 'files changed'],
  ['Which documents were added today?', 'files changed'],
  ['What files were modified in the last 3 days?', 'files changed'],
  ['Which PDFs were modified since 2026-11-01?', 'files changed'],
  ['周一以来改了哪些文件？', 'files changed'],
  ['今天新增了哪些文件？', 'files changed'],
  ['最近三天修改过的文件有哪些？', 'files changed'],
  ['本周有什么变化？', 'files changed'],
  ['11月1日以来更新了哪些文档', 'files changed'],
  ['How many pages does report.pdf have?', 'files pages'],
  ['How many pages do my PDFs have?', 'files pages'],
  ['年度报告.docx有多少页？', 'files pages'],
  ['How big is report.pdf?', 'files size'],
  ['What kind of file is report.pdf?', 'files kind'],
  ['What format is report.pdf in?', 'files kind'],
  ['年度报告.docx是什么格式？', 'files kind'],
  ['年度报告.docx 的文件类型是什么？', 'files kind'],
  ['When was report.pdf added to the library?', 'files added'],
  ['年度报告.docx是什么时候加入的？', 'files added'],
  ['When was lease.md last modified?', 'files changed'],
  ['What is the total size of my files?', 'files size'],
  // Summaries.
  ['Summarise the library', 'summary library'],
  ['Summarize all my documents', 'summary library'],
  ['What is this library about?', 'summary library'],
  ['Summarise the papers folder', 'summary folder'],
  ['Give me an overview of the folder papers', 'summary folder'],
  ['Summarize report.pdf', 'summary document'],
  ['What is the employee handbook about?', 'summary document'],
  ['What is lease.md about?', 'summary document'],
  ['总结一下合同文件夹', 'summary folder'],
  ['年度报告讲了什么？', 'summary document'],
  ['概括《年度报告》的主要内容', 'summary document'],
  ['我的文档都讲了些什么', 'summary library'],
  // Tables.
  ['How many orders are from the EU?', 'table count'],
  ['How many orders from EU have status open?', 'table count'],
  ['How many open orders are there?', 'table count'],
  ['How many cancelled orders were there in November 2026?', 'table count'],
  ['What is the total amount of orders from Asia Pacific?', 'table sum'],
  ['What is the average amount of shipped orders?', 'table average'],
  ['What is the highest amount in orders?', 'table max'],
  ['Which order has the lowest amount?', 'table min'],
  ['Total amount per region', 'table sum grouped'],
  ['How many orders by status?', 'table count grouped'],
  ['How many orders have an amount over 1,000?', 'table count'],
  ['How many different suppliers are there in contracts?', 'table distinct'],
  ['Which contract ends first?', 'table min'],
  ['Which contract ends last?', 'table max'],
  ['Which contract has the highest fee?', 'table max'],
  ['What is the sum of fees for Acme?', 'table sum'],
  ['List all contracts with Globex', 'table list'],
  ['研发部有多少员工？', 'table count'],
  ['员工的平均工资是多少？', 'table average'],
  ['工资最高的员工是谁？', 'table max'],
  ['市场部员工的工资总和是多少', 'table sum'],
  ['每个部门有多少员工？', 'table count grouped'],
  // No passage says a sum that is asked for so.
  ['工资总和是多少？', 'table sum'],
  ['入职最早的员工是谁？', 'table min'],
  ['工资超过1万的员工有多少人？', 'table count'],
])('%s → %s', (question, expected) => {
  expect(routed(question)).toBe(expected)
})

test.each([
  'How many days of annual leave do employees get?',
  'How much is the rent?',
  'What is the total fee?',
  'How many people were at the meeting on 3 May?',
  'How often is the pump serviced?',
  'How many times a week are the bins emptied?',
  'How many documents are needed for a visa application?',
  'Which documents do I need to register a company?',
  'How many pages must the thesis have?',
  'What is the largest planet?',
  'What is the biggest risk named in the audit?',
  'What changed in the new lease compared with the old one?',
  'What changed since Monday in the price of steel?',
  'What is the deadline?',
  'What is the lease deposit about to be used for?',
  'Summarise the termination clause',
  'What is the termination clause about?',
  'What does the contract say about late payment?',
  'Who is the oldest member of the board?',
  'List the steps to restart the server',
  'List all exceptions to the warranty',
  'Which contract covers the office in Hangzhou?',
  'Which contract ends when the building is sold?',
  'How many orders did Napoleon give at Waterloo?',
  'How many contracts did the court declare void in Smith v Jones?',
  'What is the average temperature in Norway?',
  'What is the total length of the Great Wall?',
  'When does the lease end?',
  'When was the company founded?',
  'How big is the solar system?',
  'How big is the flat?',
  'Which files must be kept for ten years by law?',
  'How many employees does Acme have?',
  'What amount is due first?',
  'Which regions does the warranty cover?',
  'How do I count the words in a file with a shell?',
  'Why were orders from the EU delayed?',
  'What is the status of the project?',
  'What kind of contract is the lease?',
  'When was the clause added to the lease?',
  '保修是什么类型的？',
  'Explain the total cost of ownership',
  'How many copies of the document does the notary keep?',
  'Who mentioned the word deposit first?',
  '年假有多少天？',
  '租金是多少？',
  '合同什么时候到期？',
  '公司有多少员工持股？',
  '注册公司需要哪些文件？',
  '一年有多少个月？',
  '最大的风险是什么？',
  '违约金是多少？',
  '总结一下违约责任条款',
  '这个条款讲了什么？',
  '会议上提到了几次延期的原因是什么？',
  '泵多久保养一次？',
  '员工手册规定迟到几次扣工资？',
  '平均气温是多少？',
  '研发部的负责人是谁？',
  '入职需要提交哪些材料？',
  '文件应当保存多少年？',
  '谁最早提出了这个方案？',
  '本周的会议讨论了什么？',
  '如何列出所有的PDF文件？',
])('%s stays a question for passages', (question) => {
  expect(routed(question)).toBe('passage')
})
