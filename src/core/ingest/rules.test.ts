import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { findWord } from '../../../test/fixtures/open-test-store.ts'
import { openTestIngest, statuses, testDirectories, until, writeFiles, type TestIngest } from '../../../test/fixtures/open-test-ingest.ts'
import { scriptedEmbedder } from '../../../test/fixtures/scripted-embedder.ts'

const directories = testDirectories()
let opened: TestIngest | null = null
afterEach(async () => {
  await opened?.close()
  opened = null
  directories.clear()
})

const files = {
  'kept.md': 'kept words',
  'drafts/one.md': 'draft of apples',
  'drafts/deep/two.md': 'draft of pears',
  'notes/draft.tmp.md': 'temporary plums',
}

function figures({ ingest }: TestIngest): Record<string, [total: number, ready: number, ignored: number]> {
  return Object.fromEntries(
    ingest.folders().map(({ path, counts, leftOut }) => {
      const { total, ...parts } = counts
      expect(Object.values(parts).reduce((sum, part) => sum + part, 0)).toBe(total)
      return [path, [total, counts.ready, leftOut.ignored]]
    }),
  )
}

test('rules of one folder leave files out, take their documents away and give them back', { timeout: 120_000 }, async () => {
  const [one, other] = [directories.make(), directories.make()]
  writeFiles(one, files)
  writeFiles(other, files)
  const library = (opened = await openTestIngest(directories.make(), scriptedEmbedder()))
  const { ingest, store } = library
  const first = (await ingest.add([one])).folders[0]!
  async function rule(rules: string[], wanted: [number, number, number]): Promise<void> {
    await store.settings.patch({ folderRules: { [first.id]: rules } })
    ingest.rulesChanged()
    await until(() => JSON.stringify(figures(library)[one]) === JSON.stringify(wanted), `${one} has ${wanted.join()}`)
    await ingest.whenIdle()
  }
  await ingest.whenIdle()
  expect(figures(library)).toEqual({ [one]: [4, 4, 0] })

  // A directory is one thing that is left out.
  await rule(['drafts/', '*.tmp.md'], [1, 1, 2])
  expect(Object.keys(statuses(store))).toEqual(['kept.md'])
  expect([findWord(store, 'apples'), findWord(store, 'pears'), findWord(store, 'plums')]).toEqual([[], [], []])
  expect(findWord(store, 'kept')).toEqual([join(one, 'kept.md')])

  // Another folder has rules of its own: none.
  await ingest.add([other])
  await ingest.whenIdle()
  expect(figures(library)).toEqual({ [one]: [1, 1, 2], [other]: [4, 4, 0] })
  expect(findWord(store, 'apples')).toEqual([join(other, 'drafts/one.md')])

  // What comes later is left out too.
  writeFiles(one, { 'drafts/three.md': 'draft of cherries', 'notes/new.md': 'new words' })
  await until(() => findWord(store, 'new').length > 0, 'the new file is found')
  expect(findWord(store, 'cherries')).toEqual([])

  await rule(['drafts/', '!drafts/deep/', '*.tmp.md', '!kept.md'], [2, 2, 2])
  await rule([], [6, 6, 0])
  expect(findWord(store, 'apples').sort()).toEqual([join(one, 'drafts/one.md'), join(other, 'drafts/one.md')].sort())
  expect(findWord(store, 'cherries')).toEqual([join(one, 'drafts/three.md')])
})

test('rules hold from the first scan and after a restart', { timeout: 120_000 }, async () => {
  const [dataDir, folder] = [directories.make(), directories.make()]
  writeFiles(folder, files)
  const library = (opened = await openTestIngest(dataDir, scriptedEmbedder()))
  const added = (await library.ingest.add([folder])).folders[0]!
  await library.store.settings.patch({ folderRules: { [added.id]: ['drafts/deep/'] } })
  library.ingest.rulesChanged()
  await until(() => figures(library)[folder]?.[2] === 1, 'the rule is obeyed')
  await library.ingest.whenIdle()
  await library.close()
  opened = await openTestIngest(dataDir, scriptedEmbedder())
  await opened.ingest.whenIdle()
  expect([figures(opened)[folder], findWord(opened.store, 'pears')]).toEqual([[3, 3, 1], []])
})
