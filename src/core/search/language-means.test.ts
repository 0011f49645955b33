import { expect, test } from 'vitest'
import { meanWithPrior, priorWeight } from './language-means.ts'
import { centredCosine, centredQuestion, centred, dot, normalise } from './vector-math.ts'

const vector = (...values: number[]): Float32Array => normalise(Float32Array.from(values))

test('a single document is not its own mean', () => {
  const only = vector(1, 0.2, 0, 0)
  const prior = vector(1, 0, 0.1, 0)
  const mean = meanWithPrior(only, 1, prior)
  const away = centred(only, mean)
  // Without the prior there is nothing left of it.
  expect(dot(away, away)).toBeCloseTo(1)
  const without = centred(only, meanWithPrior(only, 1, null))
  expect(dot(without, without)).toBe(0)
})

test('the prior fades as documents come', () => {
  const prior = vector(0, 1)
  const sum = Float32Array.from([990, 0])
  expect(meanWithPrior(sum, 990, prior)[1]).toBeCloseTo(priorWeight / (990 + priorWeight))
})

test('the quick cosine is the plain one', () => {
  const question = vector(0.3, 0.9, 0.1, 0.2)
  const passage = vector(0.1, 0.8, 0.4, 0.1)
  const questionMean = Float32Array.from([0.2, 0.5, 0.1, 0.1])
  const passageMean = Float32Array.from([0.1, 0.5, 0.2, 0.1])
  const plain = dot(centred(question, questionMean), centred(passage, passageMean))
  expect(centredCosine(centredQuestion(question, questionMean, passageMean), passage)).toBeCloseTo(plain)
})

test('a zero vector is near to nothing', () => {
  const zero = new Float32Array(4)
  expect(centredCosine(centredQuestion(zero, zero, zero), vector(1, 2, 3, 4))).toBe(0)
})
