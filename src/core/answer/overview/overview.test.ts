import { basename } from 'node:path'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { createDraw, makeSheet, products, regions, sheetStatuses, type MadeSheet } from '../../../../test/fixtures/make-sheets.ts'
import { overviewHomes } from '../../../../test/fixtures/open-overview.ts'

const { begin, ...homes } = overviewHomes()
// Many questions over real processes, on a machine that may be busy.
vi.setConfig({ testTimeout: 180_000 })
afterEach(() => homes.close())
afterAll(() => homes.clear())

test('counting questions over generated sheets are exact, with their basis and the rows that they come from', async () => {
  const made = [makeSheet(1, 402), makeSheet(2, 802)] as const
  const home = await begin({ 'orders-north.csv': made[0].csv, 'orders-south.csv': made[1].csv })
  const all = [...made[0].rows, ...made[1].rows]
  const draw = createDraw(99)
  const asked: { question: string; value: number }[] = []
  const sum = (rows: MadeSheet['rows'], of: 'amount' | 'quantity'): number => rows.reduce((total, row) => total + row[of], 0)
  for (let count = 0; count < 12; count += 1) {
    const [region, status, product] = [regions[draw(5)]!, sheetStatuses[draw(3)]!, products[draw(6)]!]
    const both = all.filter((row) => row.region === region && row.status === status)
    const ofProduct = all.filter((row) => row.product === product)
    asked.push({ question: `How many orders from ${region} have status ${status}?`, value: both.length })
    asked.push({ question: `What is the total quantity of orders for ${product}?`, value: sum(ofProduct, 'quantity') })
    asked.push({
      question: `What is the highest amount of orders from ${region}?`,
      value: Math.max(...all.filter((row) => row.region === region).map((row) => row.amount)),
    })
    asked.push({
      question: `How many ${product} orders in 2026-0${1 + (count % 9)}?`,
      value: ofProduct.filter((row) => row.date.startsWith(`2026-0${1 + (count % 9)}`)).length,
    })
  }
  const wrong: string[] = []
  for (const { question, value } of asked) {
    const turn = await home.ask(question)
    const found = Number((/-?[\d,]+(?:\.\d+)?(?=(?: rows?)?\.)/.exec(turn.answer.split('\n')[0]!)?.[0] ?? '').replaceAll(',', ''))
    if (turn.outcome !== 'answered' || found !== value) wrong.push(`${question} ${turn.answer.slice(0, 80)} ≠ ${value}`)
    expect(turn.basis).toContain('Counted in 2 sheets, 1,204 rows: SELECT')
  }
  expect(wrong).toEqual([])
  expect(home.searches()).toBe(0)
})

test('which row is the last or the first is told with its place, in Chinese too', async () => {
  const home = await begin({
    'contracts.csv': 'Contract,Supplier,End date,Fee\nC-1,Acme,2027-03-31,"4,200"\nC-2,Globex,2026-12-31,900\nC-3,Acme,2028-01-01,1200\n',
    '员工.csv': '姓名,部门,工资\n李伟,研发部,"￥12,000"\n王芳,市场部,9500\n赵敏,研发部,1.5万\n合计,,36500\n',
  })
  const ends = await home.ask('Which contract ends first?')
  expect(ends.answer).toContain('C-2 (row 3) [1]')
  expect(ends.citations).toMatchObject([
    { place: { kind: 'sheet', sheet: '', from: 3, to: 3 }, quote: expect.stringContaining('Globex') as string },
  ])
  const paid = await home.ask('工资最高的员工是谁？')
  expect(paid.answer).toContain('15,000')
  expect(paid.answer).toContain('赵敏 (第 4 行)')
  expect((await home.ask('研发部的工资总和是多少？')).answer).toContain('27,000')
  expect((await home.ask('每个部门有多少员工？')).answer).toContain('研发部: 2')
  expect(paid.basis).toContain('在 1 个表、3 行中统计：SELECT')
})

test('files that say the same are each counted and cited by themselves, and told apart by where they lie', async () => {
  const text = 'The deposit is due. No deposit, no key.'
  const home = await begin({ 'a/lease.md': text, 'b/lease.md': text, 'copy.md': text })
  const counted = await home.ask('How many documents mention "deposit"?')
  expect(counted.citations.map(({ path }) => basename(path))).toEqual(['lease.md', 'lease.md', 'copy.md'])
  expect(new Set(counted.citations.map(({ path }) => path)).size).toBe(3)
  expect(counted.answer).toContain('- a/lease.md: 2 times [1]\n- b/lease.md: 2 times [2]\n- copy.md: 2 times [3]')
})

test('what was not read is listed with its reason in words, skipped files too', async () => {
  const home = await begin({
    'a.md': 'fine',
    'b.zip': Buffer.from('504b0506' + '00'.repeat(18), 'hex').toString('latin1'),
    'c.pdf': '%PDF-1.7 broken',
  })
  const english = (await home.ask('Which files could not be read?')).answer
  expect(english).toMatch(/b\.zip \(.*, an archive, to be unpacked first\)/)
  expect(english).toMatch(/c\.pdf \(.*, damaged\)/)
  const chinese = (await home.ask('哪些文件没有读出来？为什么？')).answer
  expect(chinese).toMatch(/b\.zip（?.*压缩包，要先解压/)
  expect(chinese).toContain('文件损坏')
  expect((await home.ask('哪些文件读取失败？')).answer).not.toContain('b.zip')
})

test('words are counted exactly over the text, and files by what they are', async () => {
  const home = await begin({
    'a.md': 'The deposit is due. No deposit, no key.',
    'b.md': 'A deposit again.',
    'c.csv': 'name,count\nx,1\n',
    '合同.txt': '违约金为百分之五。',
  })
  const counted = await home.ask('How many times does "deposit" appear?')
  expect(counted.answer).toContain('3 times, in 2 documents')
  expect(counted.citations.map(({ path }) => basename(path))).toEqual(['a.md', 'b.md'])
  expect(counted.citations.map(({ quote }) => quote)).toEqual(['The deposit is due.', 'A deposit again.'])
  expect(counted.basis).toBe('Counted in the whole text of 4 of 4 documents.')
  expect((await home.ask('有多少份文件提到了违约金？')).answer).toContain('1 份文件')
  expect((await home.ask('How many markdown files do I have?')).answer).toBe('2 files.')
  expect((await home.ask('一共有多少份文件？')).answer).toBe('共 4 个文件。')
  expect((await home.ask('What changed since yesterday?')).answer).toContain('4 files changed')
  expect((await home.ask('Which file is the largest?')).answer).toMatch(/^- a\.md/)
  expect((await home.ask('a.md有多大？')).answer).toBe('1 个文件共 39 B。')
  expect((await home.ask('What kind of file is c.csv?')).answer).toBe('c.csv is a .csv file, read as tables (15 B). [1]')
  expect((await home.ask('合同.txt是什么时候加入的？')).answer).toMatch(/^合同\.txt 于 \d{4}-\d\d-\d\d \d\d:\d\d 加入文库。/)
  expect((await home.ask('How many documents mention the annual rent increase?')).outcome).toBe('not-found')
  expect(home.searches()).toBe(1)
})

test('the model writes the query where words are left over, is told what went wrong once, and its query is shown', async () => {
  const home = await begin({ 'orders.csv': makeSheet(3, 50).csv }, [
    { text: '{"sql": "SELECT count(*) FROM orders WHERE regio = \'EU\'"}' },
    { text: '```sql\nSELECT count(*) FROM orders WHERE quantity % 2 = 0\n```' },
    { text: '{"sql": null}' },
    { text: '{"sql": "DROP TABLE orders"}' },
    { text: '{"sql": "SELECT * FROM siku_sources"}' },
  ])
  const even = await home.ask('How many orders have an even quantity?')
  expect(even.answer.split(' ')[0]).toBe(String(makeSheet(3, 50).rows.filter((row) => row.quantity % 2 === 0).length))
  expect(even.basis).toContain('SELECT count(*) FROM orders WHERE quantity % 2 = 0')
  expect(even.model).toMatchObject({ model: 'qwen-fake:4b' })
  expect(home.server!.chats()[1]?.messages.at(-1)?.content).toContain('no such column: regio')
  expect((await home.ask('How many orders did the king of Sweden place?')).outcome).toBe('not-found')
  const attacked = await home.ask('How many orders are dropped when I say drop?')
  expect(attacked.outcome).toBe('not-found')
  expect((await home.tables.query({ sql: 'SELECT count(*) FROM orders' })).rows).toEqual([[50]])
})

test('a value that no sheet has is said, where the rest of the question is a sheet of the library', async () => {
  const home = await begin({
    'trade.csv': 'City,Item,Sold,Price\nRome,Cable,12,¥100.25\nRome,Lamp,5,¥1900.25\nParis,Cable,7,¥50\n',
    'notes.md': 'The lease of the office ends in May.',
  })
  const unicorns = await home.ask('How many unicorns in Rome were sold?')
  expect(unicorns.outcome).toBe('not-found')
  expect(unicorns.answer).toContain('unicorns')
  expect(unicorns.answer).toContain('trade.csv')
  expect((await home.ask('How many cables in Rome were sold?')).answer).toContain('is 12.')
  expect((await home.ask('Sum of Price in trade.csv')).answer).toContain('¥2,050.50')
  // What a text may answer is left to the text.
  expect((await home.ask('How many leases in Rome were sold?')).answer).not.toContain('trade.csv')
})

test('a document is summarised piece by piece, kept until it changes, and says what was looked at', async () => {
  const sections = Array.from(
    { length: 14 },
    (_none, index) =>
      `# Part ${index + 1}\n\nPart ${index + 1} says that pump ${index + 1} is serviced every ${index + 2} months. The pumps stand in the hall.`,
  )
  const home = await begin({ 'manual.md': sections.join('\n\n') }, [{ text: 'The manual is about pumps [3].' }])
  const first = await home.ask('Summarise manual.md')
  expect(first.answer).toBe('The manual is about pumps (3). [1]')
  expect(first.basis).toBe('Made from 14 of 14 sections.')
  // The only scripted answer is used up: this one is kept.
  expect((await home.ask('What is manual.md about?')).answer).toBe(first.answer)
  const documentId = home.store.documents.list({ offset: 0, limit: 1 }).documents[0]!.id
  const events = []
  for await (const event of home.calls.summarise({ documentId, model: null, language: 'en' })) events.push(event)
  expect(events.at(-1)).toMatchObject({ type: 'summary-end', summary: { model: null, cached: false, basis: { lookedAt: 14, total: 14 } } })
})

test('without a model a folder is summarised by sentences of its documents', async () => {
  const home = await begin({
    'lease.md': 'The lease ends on 31 March 2027. The rent is 4,200 yuan.',
    'meeting.md': 'The meeting decided to move the office to Hangzhou.',
  })
  const turn = await home.ask('What is this library about?')
  expect(turn.outcome).toBe('extractive')
  expect(turn.answer).toContain('lease.md: The lease ends on 31 March 2027.')
  expect(turn.answer).toContain('meeting.md: The meeting decided')
  expect(turn.basis).toBe('Made from 2 of 2 documents.')
})

test('tables are described for a model with their columns, values and some rows', async () => {
  const home = await begin({ 'orders.csv': 'Region,Amount (€)\nEU,"1,000"\nUS,20\n' })
  const { described } = await home.calls.listTables({ about: 'orders' })
  expect(described).toBe(
    [
      'TABLE "orders" -- 2 rows; file orders.csv',
      '  _row INTEGER -- number of the row in the sheet',
      "  \"region\" TEXT -- text (Region); one of 'EU', 'US'",
      '  "amount" INTEGER -- integer (Amount (€))',
      '  -- EU | 1000',
      '  -- US | 20',
    ].join('\n'),
  )
})
