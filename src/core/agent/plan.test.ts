import { expect, test } from 'vitest'
import { hasSeveralParts } from './plan.ts'

test.each([
  '1. Read the lease.\n2. Sum the rents.\n3. Write a note.',
  'First find the lease, then sum the rents of 2024.',
  'Find the lease and then compare it with the old one, and also write a note about it.',
  '先查一下南京的天气，再写一份出行清单',
  '分别总结这三份合同的租金条款',
  '查找租约，然后计算全年租金，最后写一份笔记',
  'For each of the contracts in the folder, list the parties',
  'What is the rent? Who pays it? When does it end?',
])('is a task of several parts: %s', (question) => expect(hasSeveralParts(question)).toBe(true))

test.each([
  'hello',
  '再见',
  '再说一次好吗',
  'When does the lease end?',
  '南京和成都现在的天气怎么样？',
  'What is larger, 9.9 or 9.11?',
  'What happened then?',
  '帮我算一下 3.5% 的利息是多少',
  'Who wrote the first book?',
  '他最后说了什么？',
])('is a simple question: %s', (question) => expect(hasSeveralParts(question)).toBe(false))
