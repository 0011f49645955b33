import { expect, test } from 'vitest'
import { conceptVector } from '../../../test/fakes/concept-embedder.ts'
import { createMemoryIndex, type MemoryIndex } from './memory-index.ts'

const lexicon = ['lease', 'river', 'engine', 'painting', 'medicine', 'tax', 'volcano', 'library']

const priors = { en: conceptVector('Words of any kind'), zh: conceptVector('任何文字') }

function add(index: MemoryIndex, position: number, withVector = true): void {
  const text = `Note ${position} of the ${lexicon[position % lexicon.length]}`
  index.set({ id: `${position}`, text, kind: 'fact' })
  if (withVector) index.setVector(`${position}`, conceptVector(text))
}

function fill(index: MemoryIndex, count: number, withVectors = true): void {
  for (let position = 0; position < count; position++) add(index, position, withVectors)
}

test('without vectors it takes as many memories as with them, and finds by words', () => {
  const index = createMemoryIndex(0, {})
  fill(index, 1000, false)
  expect(index.fitting('note 777', null, 1)).toMatchObject([{ id: '777' }])
  expect(index.withoutVector).toBe(0)
})

test('whatever was added and removed before, the same memories give the same answer', () => {
  const used = createMemoryIndex(48, priors)
  fill(used, 500)
  for (let position = 0; position < 500; position++) if (position % 5 !== 2) used.remove(`${position}`)
  const fresh = createMemoryIndex(48, priors)
  for (let position = 2; position < 500; position += 5) add(fresh, position)
  for (const question of ['the volcano', '租约', 'what is owed in tax?', 'note 402 of the river']) {
    const given = (index: MemoryIndex): string[] => index.fitting(question, conceptVector(question), 10).map(({ id }) => id)
    expect(given(used).length).toBeGreaterThan(4)
    expect(given(used)).toEqual(given(fresh))
  }
})

test('many memories of one matter do not hide each other', () => {
  const index = createMemoryIndex(48, priors)
  for (let position = 0; position < 200; position++) add(index, position % 2 === 0 ? position * 8 : position)
  const found = index.fitting('租约', conceptVector('租约'), 5)
  expect(found).toHaveLength(5)
  expect(found.every(({ id }) => Number(id) % 8 === 0)).toBe(true)
})

test('one character or a few letters are no meaning: only words bring a memory then', () => {
  const index = createMemoryIndex(48, priors)
  fill(index, 40)
  index.set({ id: 'door', text: '门的密码在抽屉里', kind: 'fact' })
  const near = conceptVector('the lease of the flat')
  expect(index.fitting('租约何时到期', near, 5).length).toBeGreaterThan(0)
  for (const question of ['租', 'ok', '?!', 'a b']) expect(index.fitting(question, near, 5)).toEqual([])
})

test('a secret that was written down is given when one is asked for, never because it is near to something', () => {
  const index = createMemoryIndex(48, priors)
  const secret = 'password: hunter2! is my secret'
  index.set({ id: 'secret', text: secret, kind: 'fact' })
  index.setVector('secret', conceptVector(secret))
  for (const question of ['what is my name', 'what is 2+2', secret.replace('password', 'word').replace('secret', 'thing'), '我住在哪里'])
    expect(index.fitting(question, conceptVector(secret), 5)).toEqual([])
  expect(index.fitting('what is my password', conceptVector(secret), 5)).toMatchObject([{ id: 'secret' }])
})
