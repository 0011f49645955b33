import { SikuError } from '../../contract/errors.ts'
import type { ExtractResult, Reason } from '../../contract/library.ts'
import type { Store } from '../store/store.ts'
import { hearFile, type Hearing } from './hear-file.ts'
import { pageProblem, type PageReader } from './ocr/ocr.ts'
import type { RecognisedLine } from './read/read.ts'
import { reasonAfter } from './recognised.ts'
import type { DocumentReader, Extracted, ReadResult } from './reader.ts'

interface Options {
  ocr?: boolean
  password?: string
  signal?: AbortSignal
  reader: DocumentReader
  recogniser: PageReader
  hearing: Hearing
  store: Store
}

const unread: Reason = { code: 'changed-while-reading', message: 'The file changed while it was read.' }

function resultOf({ pagesToRecognise: _pages, ...result }: Extracted): ExtractResult {
  return result
}

/** What is read in a file, pages without text by text recognition, recordings where they may be transcribed. Nothing is stored; pages that the library recognised before are taken from there. */
export async function recogniseFile(
  path: string,
  { ocr = true, password, signal, reader, recogniser, hearing, store }: Options,
): Promise<ExtractResult> {
  const first = await reader.extract(path, { signal, password })
  if (first.reason?.code === 'not-transcribed') return resultOf(await heardFile(path, first, { signal, reader, hearing, store }))
  if (!ocr || first.pagesToRecognise.length === 0) return resultOf(first)
  const never = new AbortController().signal
  const hashed = await reader.hash(path, { signal: signal ?? never })
  if (hashed.kind !== 'ok' || hashed.value.kind === 'failed') return resultOf(first)
  const { hash } = hashed.value
  const pages = new Map<number, RecognisedLine[]>(store.recognition.of(hash)?.pages)
  const givenUp = new Map<number, Reason>()
  const secret = password === undefined ? {} : { password }
  for (const page of first.pagesToRecognise) {
    if (pages.has(page)) continue
    const result = await recogniser.page({ path, kind: first.kind, page, hash, ...secret }, { signal: signal ?? never })
    if (result.kind === 'cancelled') throw new SikuError('cancelled', 'cancelled')
    if (result.kind === 'ok' && result.value.kind === 'ok') pages.set(page, result.value.lines)
    else
      givenUp.set(
        page,
        result.kind !== 'ok' ? (pageProblem(result) ?? unread) : result.value.kind === 'failed' ? result.value.reason : unread,
      )
  }
  const last = await reader.extract(path, { signal, password, recognised: { hash, pages } })
  return resultOf({ ...last, reason: reasonAfter({ ...last, status: last.status as ReadResult['status'] }, givenUp) })
}

async function heardFile(
  path: string,
  unheard: Extracted,
  { signal = new AbortController().signal, reader, hearing, store }: Pick<Options, 'signal' | 'reader' | 'hearing' | 'store'>,
): Promise<Extracted> {
  const known = hearing.allowed() ? null : await knownTranscript(path, { signal, reader, store })
  if (!hearing.allowed() && known === null) return { ...unheard, reason: { code: 'not-transcribed', message: hearing.needed() } }
  const heard = known ?? (await hearFile(path, { store, reader, hearing, signal }))
  if (heard.kind === 'failed') return { ...unheard, status: 'failed', reason: heard.reason }
  if (heard.kind === 'changed') return { ...unheard, status: 'failed', reason: unread }
  return reader.extract(path, { signal, recognised: { hash: heard.hash, pages: new Map(), heard: heard.segments } })
}

async function knownTranscript(path: string, { signal, reader, store }: { signal: AbortSignal; reader: DocumentReader; store: Store }) {
  const hashed = await reader.hash(path, { signal })
  const hash = hashed.kind === 'ok' && hashed.value.kind === 'ok' ? hashed.value.hash : null
  const segments = hash === null ? null : store.transcripts.of(hash)
  return hash === null || segments === null ? null : { kind: 'ok' as const, hash, segments }
}
