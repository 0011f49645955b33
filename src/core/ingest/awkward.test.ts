import { join, relative } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { makeAwkwardFolder, recognisedPhrase } from '../../../test/fixtures/awkward-files.ts'
import { openTestIngest, testDirectories } from '../../../test/fixtures/open-test-ingest.ts'
import { scriptedEmbedder } from '../../../test/fixtures/scripted-embedder.ts'
import type { PageReader } from './ocr/ocr.ts'

const directories = testDirectories()
afterAll(() => directories.clear())

/** Reads the same words on every page, at once. */
const recogniser: PageReader = {
  page: async () => ({
    kind: 'ok',
    value: {
      kind: 'ok',
      lines: [{ text: recognisedPhrase, box: { page: 1, x: 0.1, y: 0.1, width: 0.8, height: 0.05 }, confidence: 0.99 }],
    },
  }),
  close: () => undefined,
}

test.skipIf(process.platform === 'win32')(
  'a folder of awkward files: each has its right status and reason, and its words',
  { timeout: 180_000 },
  async () => {
    const folder = directories.make()
    const expected = await makeAwkwardFolder(folder)
    expect(expected.length).toBeGreaterThanOrEqual(80)
    const library = await openTestIngest(directories.make(), scriptedEmbedder(), 100, recogniser)
    try {
      await library.ingest.add([folder])
      await library.ingest.whenIdle()
      const { documents } = library.store.documents.list({ offset: 0, limit: 1000 })
      const found = documents.map(({ id, path, status, reason, passages, embedded }) => {
        const name = relative(folder, path)
        const phrase = expected.find((file) => file.path === name)?.phrase ?? null
        const text = library.store.documents
          .sections(id, 0, 1000)
          .sections.map((section) => section.text)
          .join('\n\n')
        const shown =
          phrase === null ? (text === '' ? null : text.slice(0, 100)) : text.includes(phrase) ? phrase : `(not found) ${text.slice(0, 100)}`
        return { path: name, status, reason: reason?.code ?? null, phrase: shown, embedded: passages === embedded }
      })
      const sorted = (rows: { path: string }[]): unknown[] => rows.toSorted((one, other) => (one.path < other.path ? -1 : 1))
      expect(sorted(found)).toEqual(sorted(expected.map((file) => ({ ...file, embedded: true }))))
      const [shown] = library.ingest.folders()
      expect(shown?.leftOut).toEqual({ hidden: 0, dependencies: 0, ignored: 0, links: 1, unreadable: 0 })
      const { total, waiting, reading, ...ended } = shown!.counts
      expect([waiting, reading, Object.values(ended).reduce((sum, count) => sum + count, 0)]).toEqual([0, 0, total])
      // What is told of a file without indexing it is the same.
      for (const { path, status, reason } of expected) {
        if (path.includes('bomb') || status === 'ready') continue
        const read = await library.ingest.extract(join(folder, path))
        expect([path, read.status, read.reason?.code ?? null]).toEqual([path, status, reason])
      }
    } finally {
      await library.close()
    }
  },
)
