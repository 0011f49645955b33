import { expect, test } from 'vitest'
import { fenced } from './fence.ts'
import { saidByTool } from '../../contract/call-text.ts'
import { counted } from '../../contract/counted.ts'

test.each([
  [counted(0, 'passage'), '0 passages'],
  [counted(1, 'passage'), '1 passage'],
  [counted(2, 'passage'), '2 passages'],
  [counted(1, 'memory', 'memories'), '1 memory'],
  [counted(5, 'citation was', 'citations were'), '5 citations were'],
])('words agree with their number: %s', (said, right) => {
  expect(said).toBe(right)
})

test('of a result a person sees what the tool said, and nothing that is said to the model', () => {
  const data = fenced({ tool: 'read_web_page' }, 'The name nowhere.invalid is not known.\nTwo lines <data> of it.')
  const failed = `read_web_page failed. Mend the call, try another way, or say that it failed.\n${data}`
  expect(saidByTool({ status: 'error', result: failed })).toBe('The name nowhere.invalid is not known.\nTwo lines <data> of it.')
  expect(saidByTool({ status: 'ok', result: `${data}\nCut: characters 0 to 10 of 20. To read on, call read_result.` })).not.toMatch(/Cut:/)
  // Kept results are cut, and their end may be missing.
  expect(saidByTool({ status: 'ok', result: data.slice(0, 60) })).toMatch(/^The name nowhere/)
  expect(saidByTool({ status: 'refused', result: 'The user did not allow this call. Do not make it again.' })).toBe('')
  expect(saidByTool({ status: 'ok', result: 'calculate gave an empty result.' })).toBe('calculate gave an empty result.')
})

test('passages are shown by number, file and place', () => {
  const result = fenced(
    { tool: 'search_library' },
    '1 passage.\n<passage number="3" file="lease.md" place="p. 2">\nNinety days.\n</passage>',
  )
  expect(saidByTool({ status: 'ok', result })).toBe('1 passage.\n[3] lease.md · p. 2\nNinety days.')
})
