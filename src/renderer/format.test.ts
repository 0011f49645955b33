import { expect, test } from 'vitest'
import { createFormat } from './format.ts'

test('sizes, times and counts follow the locale', () => {
  const [en, zh] = [createFormat('en'), createFormat('zh')]
  expect([en.bytes(0), en.bytes(120), en.bytes(48_000), en.bytes(2_600_000_000)]).toEqual(['0 kB', '1 kB', '48 kB', '2.6 GB'])
  expect([en.duration(4), en.duration(31), en.duration(4390), en.duration(200_000)]).toEqual([
    '4 ms',
    '0.03 sec',
    '4.4 sec',
    '3 min 20 sec',
  ])
  expect([zh.duration(31), zh.remaining(1_260_000), zh.count(20_000)]).toEqual(['0.03秒', '21分钟', '20,000'])
})
