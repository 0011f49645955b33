import { expect, test } from 'vitest'
import type { Model } from '../../contract/models.ts'
import { chooseContext, plannedWindow } from './context-size.ts'
import { bareModel } from './providers.ts'
import { bySuitability } from './suitable.ts'
import { estimate, textUnits, wasCut } from './token-estimate.ts'

test.each([
  [1000, 1000, { maximum: 131_072, loaded: null }, 4096],
  [3500, 2048, { maximum: 131_072, loaded: null }, 8192],
  // Sticky: what is loaded stays, be it larger than needed or of an odd size.
  [1000, 1000, { maximum: 131_072, loaded: 32_768 }, 32_768],
  [1000, 1000, { maximum: 131_072, loaded: 5000 }, 5000],
  // Growing when it no longer fits.
  [9000, 2048, { maximum: 131_072, loaded: 8192 }, 16_384],
  // The model's end: the answer is shortened, the prompt never.
  [3000, 2048, { maximum: 4096, loaded: null }, 4096],
  [3800, 2048, { maximum: 4096, loaded: null }, null],
  [3000, 1000, { maximum: 5000, loaded: 4096 }, 5000],
  [2000, 1000, { maximum: null, loaded: null }, 4096],
  [6000, 1000, { maximum: null, loaded: null }, null],
])('a prompt of %i with %i to answer, %o', (prompt, answer, known, context) => {
  expect(chooseContext(prompt, answer, known)).toBe(context)
})

test('a short call before a long one takes the window of the long one, so that the model is loaded once', () => {
  expect(chooseContext(200, 128, { maximum: 131_072, loaded: null }, 7000)).toBe(8192)
  expect(chooseContext(200, 128, { maximum: 4096, loaded: null }, 7000)).toBe(4096)
  expect(chooseContext(200, 128, { maximum: 131_072, loaded: 4096 }, 7000)).toBe(8192)
})

test('a window is not planned to fill all memory, but one that is loaded is used', () => {
  expect(plannedWindow({ maximum: 131_072, loaded: null })).toBe(32_768)
  expect(plannedWindow({ maximum: 131_072, loaded: 65_536 })).toBe(65_536)
  expect(plannedWindow({ maximum: 8192, loaded: null })).toBe(8192)
})

test('Chinese and English estimates are near common tokenizers, and learning scales them', () => {
  const english = 'The tenant gives notice three months before the end of the quarter, in writing. '.repeat(10)
  const chinese = '承租人应当在季度末三个月之前以书面形式通知出租人。'.repeat(10)
  expect(estimate(english, null) / 160).toBeGreaterThan(1)
  expect(estimate(english, null) / 160).toBeLessThan(1.6)
  expect(estimate(chinese, null) / 170).toBeGreaterThan(1)
  expect(estimate(chinese, null) / 170).toBeLessThan(1.7)
  expect(estimate(english, { characters: 1000, tokens: 2000 })).toBe(Math.ceil(textUnits(english) * 2))
})

test('a count well below the estimate is a cut, a short prompt says nothing', () => {
  expect(wasCut(2048, 5000, true)).toBe(true)
  expect(wasCut(4600, 5000, true)).toBe(false)
  expect(wasCut(10, 500, true)).toBe(false)
  expect(wasCut(0, 5000, true)).toBe(false)
})

test('the most suitable model is local, can answer, fits memory, and is the same each time', () => {
  const model = (name: string, change: Partial<Model> = {}): Model => ({
    ...bareModel({ providerId: 'ollama', model: name }, false),
    sizeBytes: 4e9,
    parameters: '7B',
    ...change,
  })
  const models = [
    model('bge-m3:latest'),
    model('nomic-embed-text', { capabilities: ['embedding'], family: 'nomic-bert' }),
    model('gpt-oss:120b-cloud', { remote: true, parameters: '120B' }),
    model('llama3:70b-instruct', { sizeBytes: 40e9, parameters: '70B' }),
    model('qwen3:8b', { parameters: '8B', sizeBytes: 5e9 }),
    model('qwen2.5-coder:7b'),
    model('tiny:135m', { parameters: '134.52M', sizeBytes: 1e8, loaded: true }),
    model('llama3.2:1b-base', { parameters: '1B', sizeBytes: 1e9 }),
  ]
  const order = bySuitability(models, 16e9).map((each) => each.ref.model)
  expect(order[0]).toBe('qwen3:8b')
  expect(order).not.toContain('bge-m3:latest')
  expect(order).not.toContain('gpt-oss:120b-cloud')
  expect(order.at(-1)).toBe('llama3:70b-instruct')
  expect(bySuitability([...models].reverse(), 16e9).map((each) => each.ref.model)).toEqual(order)
  const twins = [model('a:7b', { capabilities: ['completion'] }), model('b:7b', { capabilities: ['completion', 'tools'] })]
  expect(bySuitability(twins, 16e9)[0]?.ref.model).toBe('b:7b')
  // What another program loaded changes nothing.
  expect(bySuitability([model('a:7b'), model('b:7b', { loaded: true })], 16e9)[0]?.ref.model).toBe('a:7b')
  const withTools = [
    model('a:7b', { capabilities: ['completion'], loaded: true }),
    model('b:7b', { capabilities: ['completion', 'tools'] }),
  ]
  expect(bySuitability(withTools, 16e9)[0]?.ref.model).toBe('b:7b')
})
