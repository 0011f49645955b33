import { createHash } from 'node:crypto'
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { makePdf } from '../../../test/fixtures/make-pdf.ts'
import type { Section, SplitPiece } from '../../contract/library.ts'
import { loadTokenizer } from '../embed/embed.ts'
import { embeddedText, makeTerms } from '../search/search.ts'
import { createPool, forkProcess, startChild, type Pool } from '../work/work.ts'
import type { ReadingApi, ReadSlice } from './reading-process.ts'

const resourcesDir = fileURLToPath(new URL('../../../resources', import.meta.url))
const entry = new URL('../../../out/node/reading-process.js', import.meta.url)
const directory = mkdtempSync(join(tmpdir(), 'siku-reading-'))
const pools: Pool<ReadingApi>[] = []

function pool(): Pool<ReadingApi> {
  const made = createPool<ReadingApi>({
    start: () => startChild<ReadingApi>(forkProcess, entry, { name: 'reading-process', memoryLimitBytes: 700_000_000 }),
    size: 1,
  })
  pools.push(made)
  return made
}
const shared = pool()
afterAll(() => {
  for (const made of pools) made.close()
  rmSync(directory, { recursive: true })
})

function file(name: string, content: string | Uint8Array): string {
  const path = join(directory, name)
  writeFileSync(path, content)
  return path
}

async function read(path: string) {
  const slices: ReadSlice[] = []
  const result = await shared.run('read', { path, resourcesDir }, { onEvent: (slice) => void slices.push(slice) })
  if (result.kind !== 'ok') throw new Error(result.kind)
  return {
    slices,
    sections: slices.flatMap((slice) => slice.sections),
    passages: slices.flatMap((slice) => slice.passages),
    end: result.value,
  }
}

describe('the reading process', () => {
  it('gives all that the store needs for a document, and the ids of exactly what is embedded', async () => {
    const content = '# 租约\n\n承租人每月支付租金 1,200 元。\n'
    const { passages, slices, end } = await read(file('lease.md', content))
    const text = '# 租约\n\n承租人每月支付租金 1,200 元。'
    const embedded = embeddedText(['租约'], text)
    expect(passages).toEqual([
      {
        ordinal: 0,
        text,
        heading: ['租约'],
        place: { kind: 'lines', from: 1, to: 3, heading: ['租约'] },
        start: 0,
        end: text.length,
        tokens: expect.any(Number) as number,
        language: 'zh',
        textHash: createHash('sha256').update(embedded).digest('hex'),
        terms: makeTerms(embedded),
      },
    ])
    expect([...slices[0]!.tokenIds[0]!]).toEqual([...(await loadTokenizer(resourcesDir)).encode(embedded)])
    expect(end).toMatchObject({
      kind: 'markdown',
      status: 'ready',
      reason: null,
      title: '租约',
      language: 'zh',
      characters: text.length,
      sizeBytes: Buffer.byteLength(content),
      hash: createHash('sha256').update(content).digest('hex'),
    })
  })

  it('sends bounded slices, and passages whose offsets hold over all of them', async () => {
    const { slices, sections, passages } = await read(file('long.txt', 'A sentence that says hardly anything at all. '.repeat(20_000)))
    expect(slices.length).toBeGreaterThan(5)
    for (const slice of slices) expect(JSON.stringify(slice.sections).length + JSON.stringify(slice.passages).length).toBeLessThan(512_000)
    const text = sections.map((section) => section.text).join('\n\n')
    for (const passage of passages) expect(text.slice(passage.start, passage.end)).toBe(passage.text)
    expect(passages.map((passage) => passage.ordinal)).toEqual(passages.map((_, index) => index))
  })

  it('says when the file changed under it', async () => {
    const path = file('growing.txt', 'words and words\n\n'.repeat(20_000))
    let changed = false
    const result = await shared.run(
      'read',
      { path, resourcesDir },
      {
        onEvent: () => {
          if (!changed) appendFileSync(path, 'more')
          changed = true
        },
      },
    )
    expect(result).toMatchObject({ kind: 'ok', value: { status: 'failed', reason: { code: 'changed-while-reading' } } })
  })

  it('extracts and splits for the command line', async () => {
    const path = file(
      'two.pdf',
      makePdf([{ texts: [{ x: 50, y: 600, text: 'First page' }] }, { texts: [{ x: 50, y: 600, text: 'Second page' }] }]),
    )
    const sections: Section[] = []
    expect(await shared.run('extract', { path }, { onEvent: (batch) => void sections.push(...batch) })).toMatchObject({
      kind: 'ok',
      value: { kind: 'pdf', status: 'ready' },
    })
    expect(sections.map((section) => [section.place, section.text])).toEqual([
      [{ kind: 'page', page: 1 }, 'First page'],
      [{ kind: 'page', page: 2 }, 'Second page'],
    ])
    const pieces: SplitPiece[] = []
    await shared.run('split', { path, resourcesDir, strategy: 'lines' }, { onEvent: (batch) => void pieces.push(...batch) })
    expect(pieces).toMatchObject([{ ordinal: 0, text: 'First page\n\nSecond page', place: { kind: 'page', page: 1, toPage: 2 } }])
  })

  it('splits by lines over the lines of the file itself', async () => {
    const path = file('plain.txt', '\r\n  one  \r\ntwo\r\n')
    const pieces: SplitPiece[] = []
    await shared.run('split', { path, resourcesDir, strategy: 'lines' }, { onEvent: (batch) => void pieces.push(...batch) })
    expect(pieces.map(({ text, place }) => [text, place])).toEqual([['one\ntwo', { kind: 'lines', from: 2, to: 3 }]])
  })

  it('fails one hostile document alone, in time, and reads the next', async () => {
    const loop = file('loop.pdf', makePdf([{ content: 'BT /F1 10 Tf (x) Tj ET '.repeat(4_000_000) }]))
    const patient = pool()
    // A process that runs already: the limit ends the reading, not its start.
    await patient.run('read', { path: file('first.md', 'fine'), resourcesDir }, { timeoutMs: 60_000 })
    const result = await patient.run('read', { path: loop, resourcesDir }, { timeoutMs: 150 })
    expect(['timed-out', 'out-of-memory']).toContain(result.kind)
    const next = await patient.run('read', { path: file('next.md', 'fine'), resourcesDir }, { timeoutMs: 60_000 })
    expect(next).toMatchObject({ kind: 'ok', value: { status: 'ready' } })
  })
})
