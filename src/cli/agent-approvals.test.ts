import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import type { Approval } from '../contract/agent.ts'
import { decideBy, decideByKey, describeApproval, type ApprovePolicy } from './agent-approvals.ts'
import { wordsFor } from './words.ts'

const words = wordsFor('en')

function approval(changes: Partial<Approval> = {}): Approval {
  return {
    approvalId: 'a',
    callId: 'c',
    tool: 'search_web',
    access: 'network',
    line: 'Searches the web for “lease”',
    arguments: { query: 'lease' },
    site: 'duckduckgo.com',
    digest: 'd',
    dangerous: false,
    ...changes,
  }
}

test('a word given beforehand allows once at most, and reads never a dangerous call, a server’s tool, or one that writes or runs', async () => {
  const builtIn = new Set(['search_web', 'write_note', 'run_javascript'])
  const calls = [
    approval(),
    approval({ dangerous: true }),
    approval({ tool: 'mail__send' }),
    approval({ tool: 'write_note', access: 'write' }),
    approval({ tool: 'run_javascript', access: 'run' }),
    approval({ tool: 'remember', access: 'write' }),
    approval({ tool: 'remember', access: 'write', dangerous: true }),
    approval({ tool: 'forget', access: 'write', dangerous: true }),
  ]
  const decisions = (policy: ApprovePolicy) =>
    Promise.all(calls.map((call) => decideBy(policy, builtIn)(call, new AbortController().signal)))
  expect(await decisions('none')).toEqual(calls.map(() => 'refuse'))
  expect(await decisions('reads')).toEqual(['once', ...calls.slice(1).map(() => 'refuse')])
  expect(await decisions('all')).toEqual(['once', 'once', 'once', 'once', 'once', 'once', 'refuse', 'refuse'])
})

/** A terminal on which the keys are pressed once the question stands there. */
async function press(keys: string, call: Approval, before = '') {
  const input = Object.assign(new PassThrough(), { setRawMode: () => undefined })
  const screen: string[] = []
  let interrupts = 0
  const stop = new AbortController()
  const decide = decideByKey({
    input,
    words,
    say: (text) => {
      screen.push(text)
      if (screen.length === 1) input.write(keys)
    },
    onInterrupt: () => {
      interrupts += 1
      stop.abort()
    },
  })
  if (before !== '') input.write(before)
  return { decision: await decide(call, stop.signal), screen: screen.join('\n'), interrupts }
}

test('by key: a yes is a yes, anything else a no, and a dangerous call is allowed once or never', async () => {
  const decided = async (keys: string, call = approval()) => (await press(keys, call)).decision
  expect(await Promise.all(['y', 'c', 'a', 'n', '\r', 'x', 'yy', 'y\r'].map((keys) => decided(keys)))).toEqual([
    'once',
    'chat',
    'always',
    'refuse',
    'refuse',
    'refuse',
    'refuse',
    'refuse',
  ])
  const dangerous = approval({ dangerous: true })
  expect(await Promise.all(['y', 'c', 'a', '\r'].map((keys) => decided(keys, dangerous)))).toEqual(['once', 'refuse', 'refuse', 'refuse'])
})

test('by key: what was typed before the question stood there does not answer it, and Ctrl-C is no answer but a stop', async () => {
  expect((await press('n', approval(), 'y')).decision).toBe('refuse')
  expect(await press('\u0003', approval())).toMatchObject({ decision: null, interrupts: 1 })
})

test('the exact call is shown, danger in words, and nothing that a terminal would obey, reorder or hide', () => {
  const shown = describeApproval(
    approval({
      tool: 'write_note',
      access: 'write',
      dangerous: true,
      arguments: { text: 'harmless\u001b[2K\u202egnp.exe\u200b\u009b', more: 'x'.repeat(5000) },
    }),
    words,
  )
  expect(shown).toContain('write_note (writes)')
  expect(shown).toContain('Careful: your private text')
  expect(shown).toContain('x'.repeat(5000))
  expect(shown).not.toMatch(/[\u001b\u202e\u200b\u009b]/)
  expect(shown).toContain('\\u{202e}gnp.exe\\u{200b}\\u{9b}')
  expect(shown).not.toContain('always')
})

test('a tool that touches nothing by name is allowed for any use of it, and is asked so; memories are not named by a digest', () => {
  const program = describeApproval(approval({ tool: 'run_javascript', access: 'run', site: '' }), words)
  expect(program).toContain('c any use of this tool in this chat · a always any use of this tool')
  expect(describeApproval(approval(), words)).not.toContain('any use')
  expect(describeApproval(approval({ site: '', dangerous: true }), words)).not.toContain('any use')
  const remember = describeApproval(approval({ tool: 'remember', access: 'write', site: 'memory 0123456789abcdef' }), words)
  expect(remember).toContain('touches: your memories')
  expect(remember).not.toContain('0123456789abcdef')
})
