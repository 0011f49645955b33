import { expect, test } from 'vitest'
import { cosine, isUnit, toUnit } from './vectors.ts'

test('cosine is 0, never NaN, for vectors that have none', () => {
  const a = Float32Array.of(3, 4)
  const cases: [Float32Array, Float32Array, number][] = [
    [a, a, 1],
    [a, Float32Array.of(-3, -4), -1],
    [a, Float32Array.of(4, -3), 0],
    [a, Float32Array.of(0, 0), 0],
    [a, Float32Array.of(NaN, 1), 0],
    [a, Float32Array.of(Infinity, 1), 0],
    [a, Float32Array.of(1), 0],
    [Float32Array.of(), Float32Array.of(), 0],
  ]
  expect(cases.map(([x, y]) => cosine(x, y))).toEqual(cases.map(([, , value]) => expect.closeTo(value, 6) as number))
})

test('a unit vector is made where there is one, and only a unit vector passes for one', () => {
  expect([...toUnit(Float32Array.of(3, 4))!]).toEqual([expect.closeTo(0.6, 6), expect.closeTo(0.8, 6)])
  for (const bad of [Float32Array.of(0, 0), Float32Array.of(NaN, 1), Float32Array.of(Infinity, 0), Float32Array.of()])
    expect(toUnit(bad)).toBeNull()
  expect([Float32Array.of(0.6, 0.8), Float32Array.of(0.6, 0.7), Float32Array.of(NaN, 1), Float32Array.of(0, 0)].map(isUnit)).toEqual([
    true,
    false,
    false,
    false,
  ])
})
