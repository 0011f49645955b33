import { expect, test } from 'vitest'
import { createBudget } from './budget.ts'

const limits = { steps: 3, calls: 4, tokens: 100, ms: 1000 }

test('a turn that made its last call may still answer; one that wants another may not go on', () => {
  const budget = createBudget(limits, () => 0)
  for (let count = 0; count < 4; count++) expect(budget.takeCall()).toBe(true)
  expect(budget.over()).toBeNull()
  expect(budget.takeCall()).toBe(false)
  expect(budget.over()).toBe('budget')
})

test('steps, tokens and time end it, and the time that the user took to answer does not count', () => {
  let at = 0
  const budget = createBudget(limits, () => at)
  at = 1500
  budget.waited(700)
  expect([budget.over(), budget.remainingMs()]).toEqual([null, 200])
  at = 1700
  expect(budget.over()).toBe('budget')
  const other = createBudget(limits, () => 0)
  for (let count = 0; count < 3; count++) other.step()
  expect(other.over()).toBe('step-limit')
  const third = createBudget(limits, () => 0)
  third.tokens(100)
  expect(third.over()).toBe('budget')
})

test('what a helper uses counts for the turn, its steps do not, and it gets a part of what is left', () => {
  const budget = createBudget(limits, () => 0)
  budget.takeCall()
  const helper = budget.part({ steps: 2, of: 1 / 3 })
  expect([helper.takeCall(), helper.takeCall()]).toEqual([true, false])
  expect([helper.over(), budget.over()]).toEqual(['budget', null])
  helper.tokens(40)
  helper.step()
  const second = budget.part({ steps: 2, of: 1 })
  second.tokens(60)
  expect([second.over(), budget.over()]).toEqual(['budget', 'budget'])
})
