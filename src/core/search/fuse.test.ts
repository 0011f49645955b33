import { expect, test } from 'vitest'
import type { Language } from '../../contract/library.ts'
import { fuse, type Candidate, type FuseInput } from './fuse.ts'

const candidate = (passageId: number, given: Partial<Candidate> = {}): Candidate => ({
  passageId,
  contentId: passageId,
  ordinal: 0,
  language: 'en',
  bm25: 0,
  cosine: 0.7,
  centred: 0,
  ...given,
})

function order(candidates: Candidate[], given: Partial<FuseInput> = {}): number[] {
  const input: FuseInput = {
    candidates,
    mode: 'hybrid',
    questionLanguage: 'en',
    passagesOf: (language: Language) => candidates.filter((one) => one.language === language).length,
    totalIdf: 10,
    towardsMean: () => 0.7,
    coverage: () => ({ whole: 0.5, sentence: 0.5 }),
    ...given,
  }
  return fuse(input).map((fused) => fused.candidate.passageId)
}

test('what both legs find goes before what only one finds', () => {
  const both = candidate(1, { bm25: 8, cosine: 0.85 })
  const words = candidate(2, { bm25: 10, cosine: 0.7 })
  const meaning = candidate(3, { cosine: 0.86 })
  expect(order([meaning, words, both])[0]).toBe(1)
})

test('keywords that cover little of the question do not outvote the meaning', () => {
  const words = candidate(1, { bm25: 3, cosine: 0.78 })
  const meaning = candidate(2, { cosine: 0.83 })
  const rest = [3, 4, 5].map((id) => candidate(id, { cosine: 0.75 }))
  const coverage = (one: Candidate) => (one.passageId === 1 ? { whole: 0.05, sentence: 0.05 } : { whole: 0, sentence: 0 })
  expect(order([words, meaning, ...rest], { coverage })[0]).toBe(2)
})

test('a passage beside a good one goes before a stranger of the same score', () => {
  const good = candidate(1, { contentId: 9, ordinal: 4, bm25: 10, cosine: 0.85 })
  const beside = candidate(3, { contentId: 9, ordinal: 5, bm25: 4, cosine: 0.8 })
  const stranger = candidate(2, { contentId: 8, ordinal: 5, bm25: 4, cosine: 0.8 })
  expect(order([stranger, beside, good])).toEqual([1, 3, 2])
})

test('an answer in the other language is found among many of its own', () => {
  const own = Array.from({ length: 40 }, (_, index) => candidate(index + 1, { cosine: 0.8, centred: 0.2 - index * 0.001 }))
  const foreign = Array.from({ length: 40 }, (_, index) =>
    candidate(index + 101, { language: 'zh', cosine: 0.7, centred: index === 0 ? 0.4 : 0.1 - index * 0.001 }),
  )
  expect(order([...own, ...foreign]).indexOf(101)).toBeLessThan(2)
})

test('one stray passage in a third language changes nothing', () => {
  const own = Array.from({ length: 20 }, (_, index) => candidate(index + 1, { centred: 0.3 - index * 0.01 }))
  const foreign = Array.from({ length: 20 }, (_, index) =>
    candidate(index + 101, { language: 'zh', centred: index === 0 ? 0.35 : 0.05 - index * 0.001 }),
  )
  const stray = candidate(900, { language: 'ru', centred: -0.1 })
  const passagesOf = (language: Language) => (language === 'ru' ? 1 : 2000)
  const without = order([...own, ...foreign], { passagesOf })
  const withStray = order([...own, ...foreign, stray], { passagesOf })
  expect(withStray.filter((id) => id !== 900)).toEqual(without)
  expect(without.indexOf(101)).toBeLessThan(2)
})

test('a library in another language only is ordered by the centred cosine', () => {
  const near = candidate(1, { cosine: 0.78, centred: 0.4 })
  const looksNear = candidate(2, { cosine: 0.82, centred: 0.1 })
  expect(order([looksNear, near], { questionLanguage: 'zh' })).toEqual([1, 2])
})

test('a passage without a vector is still found, by its words', () => {
  const words = candidate(1, { bm25: 9, cosine: null, centred: null })
  expect(order([words, candidate(2)])[0]).toBe(1)
  expect(order([words, candidate(2)], { mode: 'vector' })).toEqual([2])
})
