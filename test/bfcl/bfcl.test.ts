import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { playQuestions, ways, type Way } from './play.ts'
import { questionSets, readQuestions, type FunctionQuestion } from './questions.ts'
import { textStyles } from './styles.ts'

const directory = join(import.meta.dirname, '..', 'fixtures', 'bfcl')
const questions = questionSets.flatMap((set) => readQuestions(directory, set))
const withCalls = questions.filter(({ calls }) => calls.length > 0)
const irrelevant = questions.filter(({ calls }) => calls.length === 0)
const styles = Object.keys(textStyles)

const wrongOf = async (asked: FunctionQuestion[], way: Way) => (await playQuestions(asked, way)).filter(({ right }) => !right)

test('the sample has sixty questions, forty-eight of them with calls, and each can be asked', () => {
  expect([questions.length, withCalls.length, irrelevant.length]).toEqual([60, 48, 12])
  expect(questions.filter(({ fault }) => fault !== null)).toEqual([])
  expect(withCalls.some(({ calls }) => calls.length > 1)).toBe(true)
})

describe('a right call reaches its tool unchanged, through the server, the reader and the loop', () => {
  test.each(ways.slice(0, 3))('$name: all questions', { timeout: 120_000 }, async (way) => {
    expect(await wrongOf(withCalls, way)).toEqual([])
  })

  // The two servers by turns, each style by questions of every set; the bench asks all of them in every way.
  const byTurns = ways.slice(3).filter(({ server, writes }) => (server === 'ollama') === (styles.indexOf(writes) % 2 === 0))
  test.each(byTurns)('$name', { timeout: 120_000 }, async (way) => {
    const some = withCalls.filter((_question, index) => index % 12 === styles.indexOf(way.writes) % 12)
    expect(some).toHaveLength(4)
    expect(await wrongOf(some, way)).toEqual([])
  })
})

test.each(ways.slice(0, 3))('$name: a question that no function answers calls none', { timeout: 120_000 }, async (way) => {
  const played = await playQuestions(irrelevant, way)
  expect(played.map(({ reached, outcome }) => [reached, outcome])).toEqual(irrelevant.map(() => [[], 'answered']))
})
