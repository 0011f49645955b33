import { expect, test } from 'vitest'
import { splitSentences } from '../answer/answer.ts'
import { admitsFailure, claimedDeed, failedCalls, saysSomething, undoneDeeds, type FailedCalls } from './deeds.ts'

const all: FailedCalls = { all: true, lost: true, tools: ['write_note (refused)'], kinds: new Set(['written', 'sent', 'run']) }

test.each([
  'I have saved the note.',
  "I've saved it as sea.md.",
  'The note has been saved to your folder.',
  'Your email was sent to Anna.',
  'Successfully saved the note!',
  'Done! I created the file for you.',
  'I ran the script and the output is 42.',
  'The result is sunny weather.',
  'Saved the note.',
  'The first call was refused, but I have now written it.',
  'I found three hotels.',
  'According to the search, it is sunny.',
  '已保存到笔记文件夹。',
  '已经为您保存好了。',
  '我已经把邮件发送给安娜。',
  '笔记写入成功。',
  '运行结果是晴天。',
  '我已成功执行了代码。',
  '邮件发送成功！',
  '根据搜索结果，今天是晴天。',
])('a deed that no call did is seen: %s', (sentence) => {
  expect(claimedDeed(sentence, all)).not.toBeNull()
})

test.each([
  'I could not save the note.',
  'The note has not been saved.',
  'Nothing was saved.',
  'No email was sent.',
  'Shall I save it once more?',
  'Was it saved?',
  'Once the note has been saved, you will find it in the folder.',
  'If you allow it, it can be saved.',
  'I tried, and it was refused.',
  'Hello! How can I help?',
  '没有保存。',
  '笔记未能保存。',
  '我无法运行这段代码。',
  '如果您允许，我再保存。',
  '保存失败。',
  '您要我再发送一次吗？',
])('what claims no deed is left alone: %s', (sentence) => {
  expect(claimedDeed(sentence, all)).toBeNull()
})

test.each([
  ['The weather service could not be reached.', true],
  ['You did not allow the note, so it is not there.', true],
  ['天气服务无法连接。', true],
  ['调用失败了。', true],
  ['It is 21 °C in Nanjing.', false],
  ['南京 21 度。', false],
  ['I could not reach the weather service.', true],
  ["I don't have access to that page.", true],
  ['The page was not found.', true],
  ['没有查到结果。', true],
  ['我查不到今天的天气。', true],
  ['I will not save it.', true],
  ['It is sunny.', false],
  ['It is not raining in Nanjing.', false],
  ['There is no rain today.', false],
  ['It does not snow there in May.', false],
  ['The lease has not ended.', false],
  ['南京今天没有下雨。', false],
  ['今天不热。', false],
])('an admission: %s', (answer, admits) => {
  expect(admitsFailure(answer)).toBe(admits)
})

test.each([
  [['It is sunny.'], true],
  [['Which city do you mean?'], false],
  [['Hello!', 'How can I help?'], false],
  [['好的！', '您想查哪个城市？'], false],
  [['It is sunny.', 'Shall I look at Chengdu too?'], true],
  [['晴。'], true],
])('whether it says something: %j', (sentences, says) => {
  expect(saysSomething(sentences)).toBe(says)
})

test('a tool that never worked counts beside others that did, unless another way was found later', () => {
  const ok = (tool: string, access: 'read' | 'network') => ({ tool, status: 'ok' as const, access })
  const failed = (tool: string, access: 'read' | 'network' | null) => ({ tool, status: 'error' as const, access })
  const lost = (calls: Parameters<typeof failedCalls>[0]) => failedCalls(calls)?.tools ?? null
  expect(lost([ok('calculate', 'read'), failed('get_weather', 'network')])).toEqual(['get_weather (failed)'])
  expect(lost([failed('search_web', 'network'), ok('search_wikipedia', 'network')])).toBeNull()
  expect(lost([ok('search_wikipedia', 'network'), failed('get_weather', 'network')])).toEqual(['get_weather (failed)'])
  expect(failedCalls([failed('serach', null), ok('search_library', 'read')])?.lost).toBe(false)
})

test('what went wrong counts until its tool, or another of its kind, has worked', () => {
  const refused = { tool: 'write_note', status: 'refused' as const, access: 'write' as const }
  const clock = { tool: 'get_current_datetime', status: 'ok' as const, access: 'read' as const }
  expect(failedCalls([])).toBeNull()
  expect(failedCalls([clock])).toBeNull()
  expect(failedCalls([refused])).toMatchObject({ all: true })
  expect(failedCalls([refused, clock])).toMatchObject({ all: false, kinds: new Set(['written']) })
  expect(failedCalls([refused, { ...refused, status: 'ok' }])).toBeNull()
  expect(failedCalls([{ tool: 'send_email', status: 'unknown-tool', access: null }, clock])).toMatchObject({ all: false })
  // A memory that was kept writes no note.
  const kept = { tool: 'remember', status: 'ok' as const, access: 'write' as const }
  const after = failedCalls([refused, clock, kept])
  expect(after).toMatchObject({ all: false, lost: true, kinds: new Set(['written']) })
  expect(after && claimedDeed('Done: the rent is 5000 yuan a month and I wrote a note.', after)).toBe('wrote')
  expect(failedCalls([{ tool: 'update_plan', status: 'ok', access: 'read' }, refused])).toMatchObject({ all: true })
})

const undone = (answer: string, calls: Parameters<typeof undoneDeeds>[2] = []): string[] =>
  undoneDeeds(
    answer,
    splitSentences(answer).map(({ text }) => text),
    calls,
  )

test.each([
  'I have saved the note to your folder and sent the email.',
  'Done! The note has been saved.',
  "I've created a file named sea.md in your folder.",
  'Your table was booked for Friday.',
  'I sent the email to Anna.',
  '笔记已经保存到文件夹，邮件已发送。',
  '已为您把合同删除。',
  '好的，日程已创建。',
  'The note is now in your folder.',
  'I ran the code and the result is 42.',
  'I searched the web and found that the price is 5 euros.',
  '我在网上查了一下，价格是五欧元。',
  '提醒已设置好，明天早上八点会通知您。',
  'I have set a reminder for Monday.',
  'Note saved.',
  'Your preference has been noted and I will remember it.',
  '好的，我记住了。',
  '我会记住您的生日。',
])('what no tool did is seen without any call: %s', (answer) => {
  expect(undone(answer)).not.toEqual([])
  const read = { tool: 'search_library', status: 'ok', access: 'read' } as const
  expect(undone(answer, [read])).not.toEqual([])
  // Somebody's own tool may have done anything of it, and memories are kept by their own.
  const own = [read, { tool: 'own', status: 'ok', access: 'run' } as const]
  if (!/记住|noted/.test(answer)) expect(undone(answer, own)).toEqual([])
})

test('each of several deeds is named, and a deed that was done is none', () => {
  expect(undone('I have saved the note to your folder and sent the email.')).toEqual(['saved', 'sent'])
  const remember = { tool: 'remember', status: 'ok', access: 'write' } as const
  expect(undone('好的，我记住了。', [remember])).toEqual([])
  expect(undone('I searched the web: nothing new.', [{ tool: 'search_web', status: 'ok', access: 'network' }])).toEqual([])
})

test.each([
  'I have added the two numbers: 12.',
  'I have written a poem about the sea for you.',
  'I created a plan with three steps.',
  'I have removed the doubled words from your list.',
  'The lease was saved from being cancelled?',
  'The letter was not sent.',
  'Dear Anna,\n\nI have sent the parcel to you.\n\nKind regards',
  '尊敬的王先生：\n\n合同已发送给您。\n\n此致\n敬礼',
  'Shall I save it?',
  'I can save the note if you like.',
  '我可以保存到笔记。',
  '我写好了这首诗。',
  'The landlord sent you a letter; you saved it in 2020.',
  'The lease was sent to the tenant on 3 May [1].',
  'They saved a lot and ordered a second one.',
  'I remember that you asked for the rent.',
  'I will remember this for our conversation.',
  '我无法记住这些内容。',
  '请记住带上护照。',
  'I did not save the note and sent nothing.',
  'You can run the code and search the web.',
  '合同里写着，押金在退房后退还。',
  'According to the contract [1] the deposit must be paid first.',
])('what needs no tool, or claims nothing, is left alone: %s', (answer) => {
  expect(undone(answer)).toEqual([])
})

test('what an earlier call wrote may be told again', () => {
  expect(undone('I have saved the note as sea.md.', [{ tool: 'write_note', status: 'ok', access: 'write' }])).toEqual([])
  expect(undone('I have saved the note as sea.md.', [{ tool: 'write_note', status: 'refused', access: 'write' }])).toEqual(['saved'])
})
