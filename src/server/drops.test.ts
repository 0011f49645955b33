import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createDrops } from './drops.ts'

test('copies of removed folders go at the next start, those of folders in use stay', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'siku-drops-'))
  const copies = ['in use', 'single', 'removed', 'in use 2'].map((name) => join(dataDir, 'dropped', name))
  for (const copy of copies) {
    mkdirSync(copy, { recursive: true })
    writeFileSync(join(copy, 'a.txt'), 'text')
  }
  const drops = createDrops(dataDir, Date.now)
  await drops.sweep(null)
  expect(copies.map((copy) => existsSync(copy))).toEqual([true, true, true, true])
  await drops.sweep([copies[0]!, join(copies[1]!, 'a.txt')])
  expect(copies.map((copy) => existsSync(copy))).toEqual([true, true, false, false])
  rmSync(dataDir, { recursive: true })
})
