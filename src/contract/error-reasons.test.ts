import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { codeOfReason, errorReasonCodes, reasonText } from './error-reasons.ts'
import { errorCodes, errorValueSchema, failure, fromCallError, problemText, SikuError } from './errors.ts'

const placesIn = (text: string): string[] => [...text.matchAll(/⟨(\w+)⟩/g)].map(([, name]) => name as string).sort()
/** Every place says its own name. */
const named = new Proxy<Record<string, string>>({}, { get: (_target, name) => (name === 'said' ? '' : `⟨${String(name)}⟩`) })

test.each(errorReasonCodes)('%s has its words in both languages, and Chinese says nothing that English does not', (code) => {
  const [en, zh] = [reasonText({ code, data: named }, 'en'), reasonText({ code, data: named }, 'zh')]
  expect(errorCodes).toContain(codeOfReason(code))
  expect(zh.message).toMatch(/\p{Script=Han}/u)
  expect(en.message).not.toMatch(/\p{Script=Han}/u)
  expect(en.hint === undefined).toBe(zh.hint === undefined)
  expect(zh.hint ?? '汉').toMatch(/\p{Script=Han}/u)
  const inEnglish = placesIn(`${en.message} ${en.hint ?? ''}`)
  for (const place of placesIn(`${zh.message} ${zh.hint ?? ''}`)) expect(inEnglish).toContain(place)
})

test('each reason is used', () => {
  const core = join(import.meta.dirname, '..', 'core')
  const source = readdirSync(core, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => readFileSync(join(core, name), 'utf8'))
    .join('\n')
  expect(errorReasonCodes.filter((code) => !source.includes(`'${code}'`))).toEqual([])
})

test('a reason crosses the borders of processes and languages; a newer one is left out', () => {
  const error = failure('mcp-no-program', { server: '天气', program: 'nosuch' })
  expect(error).toMatchObject({ code: 'not-found', hint: 'Install it, or give its whole path.' })
  const value = errorValueSchema.parse(JSON.parse(JSON.stringify(error.toValue())))
  expect(problemText(value, 'en')).toEqual({ message: error.message, hint: error.hint })
  expect(problemText(value, 'zh')?.message).toBe('MCP 服务“天气”无法启动：这台电脑上没有程序“nosuch”。')
  const { code, message, ...data } = value
  expect(fromCallError({ code, message, data }).toValue()).toEqual(value)
  expect(problemText(new SikuError('internal', 'Something else.').toValue(), 'zh')).toBeNull()
  expect(errorValueSchema.parse({ ...value, reason: { code: 'of-next-year', data: {} } }).reason).toBeUndefined()
  const said = failure('mcp-ended', { server: 'a', said: 'boom' })
  expect([said.message, problemText(said, 'zh')?.message]).toEqual([
    'The MCP server “a” ended before it answered. It said last: boom',
    'MCP 服务“a”还没有回应就结束了。它最后说：boom',
  ])
})
