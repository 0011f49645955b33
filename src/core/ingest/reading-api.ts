import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { DocumentKind, Language, Reason, Section, SplitPiece, SplitStrategy } from '../../contract/library.ts'
import { cancelled, SikuError } from '../../contract/errors.ts'
import { loadTokenizer, type Tokenizer } from '../embed/embed.ts'
import { embeddedText, languageOf, makeTerms } from '../search/search.ts'
import type { InnerDocument, NewPassage } from '../store/store.ts'
import type { CallContext } from '../work/work.ts'
import { createOpener, fileReason, kindOf, maxReadBytes, readDocument, type OpenFile, type ReadEnd, type ReadOptions } from './read/read.ts'
import { splitFileByLines } from './split-file.ts'
import { createStructureSplitter, loadLineTokenizer, type LineTokenizer, type SplitPassage } from './split.ts'

/** What reading gives as it goes, bounded. */
export interface ReadSlice {
  sections: Section[]
  passages: NewPassage[]
  /** Of each passage: the bundled model's token ids of exactly the embedded text, without prefix and special tokens. */
  tokenIds: Int32Array[]
}

export interface FileState {
  hash: string
  sizeBytes: number
  modifiedMs: number
}

export interface ReadResult extends ReadEnd, FileState {
  kind: DocumentKind
  characters: number
  language: Language | null
}

export type HashResult = ({ kind: 'ok' } & FileState) | { kind: 'failed'; reason: Reason }

export interface FileInput extends ReadOptions {
  path: string
  /** Found out from the first bytes and the name when left out. */
  kind?: DocumentKind
  /** SHA-256 of the bytes that `recognised` and `heard` were read from: they are not used with any others. */
  recognisedOf?: string
}

export interface SplitInput extends FileInput {
  resourcesDir: string
  strategy: SplitStrategy
  maxTokens?: number
  overlap?: number
}

export interface ExtractEnd {
  kind: DocumentKind
  status: ReadEnd['status']
  reason: Reason | null
  title: string | null
  pages: number | null
  pagesToRecognise?: number[]
  inner?: InnerDocument[]
}

/** What the reading process does; each document by itself. Nothing is ever written. */
export interface ReadingApi {
  kind(input: { path: string }, context: CallContext): Promise<DocumentKind>
  hash(input: { path: string }, context: CallContext): Promise<HashResult>
  read(input: FileInput & { resourcesDir: string }, context: CallContext<ReadSlice>): Promise<ReadResult>
  extract(input: FileInput, context: CallContext<Section[]>): Promise<ExtractEnd>
  split(input: SplitInput, context: CallContext<SplitPiece[]>): Promise<ExtractEnd>
  /** The bytes of a document inside another, a part at a time. Null: all of it was given. */
  bytes(input: { path: string }, context: CallContext<Uint8Array>): Promise<Reason | null>
}

/** A slice is sent when it has about so many characters, which is at most 256 kB. */
const sliceCharacters = 60_000
const partBytes = 1 << 20

/** What nothing is wrong with, and is not read all the same. */
const passedOver = new Set<Reason['code']>(['link-loop', 'dangling-link', 'not-downloaded', 'not-a-file'])

function notRead(reason: Reason): ReadEnd {
  return { status: passedOver.has(reason.code) ? 'skipped' : 'failed', reason, title: null, pages: null }
}

function kindOfFile(path: string, file: OpenFile): DocumentKind {
  return file.kind ?? kindOf(path, file)
}

/** What the disk or another program did while a file was read is an outcome; anything else is thrown on. */
function fileTrouble(file: OpenFile, error: unknown): Reason {
  if (error instanceof SikuError) throw error
  if (file.changed()) return changedReason
  if (error instanceof Error && 'errno' in error) return fileReason(error)
  throw error
}

/** What was recognised on other bytes says nothing about these. */
function optionsFor(input: FileInput, file: OpenFile): ReadOptions {
  const { recognisedOf, recognised: _recognised, heard: _heard, ...rest } = input
  return recognisedOf === undefined || recognisedOf === file.sha256() ? input : rest
}

const tooLarge: Reason = { code: 'too-large', message: 'The file is too large to be read.' }
const changedReason: Reason = { code: 'changed-while-reading', message: 'The file changed while it was read.' }

export function createReadingApi(): ReadingApi {
  let tokenizer: { resourcesDir: string; loading: Promise<Tokenizer> } | undefined
  let lineTokenizer: Promise<LineTokenizer> | undefined
  const open = createOpener()

  function tokenizerIn(resourcesDir: string): Promise<Tokenizer> {
    if (tokenizer?.resourcesDir !== resourcesDir) {
      const loading = loadTokenizer(resourcesDir)
      tokenizer = { resourcesDir, loading }
      loading.catch(() => (tokenizer = undefined))
    }
    return tokenizer.loading
  }

  async function read(input: FileInput & { resourcesDir: string }, { signal, emit }: CallContext<ReadSlice>): Promise<ReadResult> {
    const opened = await open(input.path)
    const nothing = { hash: '', sizeBytes: 0, modifiedMs: 0, characters: 0, language: null }
    if (opened.kind === 'failed') return { ...notRead(opened.reason), kind: input.kind ?? 'unknown', ...nothing }
    const { file } = opened
    try {
      const kind = input.kind ?? kindOfFile(input.path, file)
      const splitter = createStructureSplitter(await tokenizerIn(input.resourcesDir), {
        maxTokens: (await tokenizerIn(input.resourcesDir)).passageBudget,
      })
      const languages = new Map<Language, number>()
      let slice: ReadSlice = { sections: [], passages: [], tokenIds: [] }
      let size = 0
      let characters = 0
      let ordinal = 0

      function take(passages: SplitPassage[]): void {
        for (const { text, heading, place, start, end, tokens, tokenIds } of passages) {
          const embedded = embeddedText(heading, text)
          const language = languageOf(text)
          languages.set(language, (languages.get(language) ?? 0) + text.length)
          const textHash = createHash('sha256').update(embedded).digest('hex')
          slice.passages.push({
            ordinal: ordinal++,
            text,
            heading,
            place,
            start,
            end,
            tokens,
            language,
            textHash,
            terms: makeTerms(embedded),
          })
          slice.tokenIds.push(tokenIds)
          size += text.length
        }
      }
      async function send(): Promise<void> {
        if (slice.sections.length + slice.passages.length > 0) await emit(slice)
        slice = { sections: [], passages: [], tokenIds: [] }
        size = 0
        // Lets a cancellation in.
        await setImmediate()
        if (signal.aborted) throw cancelled()
      }

      const sections = readDocument(file, kind, optionsFor(input, file))
      let next = await sections.next()
      for (; next.done !== true; next = await sections.next()) {
        const section = next.value
        characters += section.text.length
        size += section.text.length
        slice.sections.push({ place: section.place, text: section.text })
        take(splitter.push(section))
        if (size > sliceCharacters) await send()
      }
      take(splitter.end())
      await send()
      const state = { hash: file.sha256(), sizeBytes: file.sizeBytes, modifiedMs: file.modifiedMs, characters, kind }
      const end: ReadEnd = file.changed() ? notRead(changedReason) : next.value
      return { ...end, ...state, language: mostOf(languages) }
    } catch (error) {
      return { ...notRead(fileTrouble(file, error)), ...nothing, kind: input.kind ?? 'unknown' }
    } finally {
      file.close()
    }
  }

  async function withFile<Event>(
    input: FileInput,
    { signal, emit }: CallContext<Event[]>,
    work: (file: OpenFile, kind: DocumentKind, take: (event: Event, size: number) => Promise<void>) => Promise<ReadEnd>,
  ): Promise<ExtractEnd> {
    const opened = await open(input.path)
    if (opened.kind === 'failed') return { kind: input.kind ?? kindOf(input.path), ...notRead(opened.reason) }
    const { file } = opened
    try {
      const kind = input.kind ?? kindOfFile(input.path, file)
      let batch: Event[] = []
      let size = 0
      const send = async (): Promise<void> => {
        if (batch.length > 0) await emit(batch)
        batch = []
        size = 0
        await setImmediate()
        if (signal.aborted) throw cancelled()
      }
      const end = await work(file, kind, async (event, characters) => {
        batch.push(event)
        size += characters
        if (size > sliceCharacters) await send()
      })
      await send()
      return { kind, ...(file.changed() ? notRead(changedReason) : end) }
    } catch (error) {
      return { kind: input.kind ?? kindOf(input.path), ...notRead(fileTrouble(file, error)) }
    } finally {
      file.close()
    }
  }

  return {
    read,
    async kind({ path }) {
      const opened = await open(path)
      if (opened.kind === 'failed') return kindOf(path)
      try {
        return kindOfFile(path, opened.file)
      } finally {
        opened.file.close()
      }
    },
    async hash({ path }) {
      const opened = await open(path)
      if (opened.kind === 'failed') return opened
      const { file } = opened
      try {
        // Hashing a sparse terabyte would take hours.
        if (file.sizeBytes > maxReadBytes) return { kind: 'failed', reason: tooLarge }
        const hash = file.sha256()
        if (file.changed()) return { kind: 'failed', reason: changedReason }
        return { kind: 'ok', hash, sizeBytes: file.sizeBytes, modifiedMs: file.modifiedMs }
      } finally {
        file.close()
      }
    },
    async bytes({ path }, { signal, emit }) {
      const opened = await open(path)
      if (opened.kind === 'failed') return opened.reason
      const { file } = opened
      try {
        for (let at = 0; at < file.sizeBytes; at += partBytes) {
          if (signal.aborted) throw cancelled()
          await emit(Uint8Array.from(file.at(at, partBytes)))
        }
        return file.changed() ? changedReason : null
      } finally {
        file.close()
      }
    },
    extract: (input, context) =>
      withFile(input, context, async (file, kind, take) => {
        const sections = readDocument(file, kind, optionsFor(input, file))
        let next = await sections.next()
        for (; next.done !== true; next = await sections.next())
          await take({ place: next.value.place, text: next.value.text }, next.value.text.length)
        return next.value
      }),
    split: (input, context) =>
      withFile<SplitPiece>(input, context, async (file, kind, take) => {
        let ordinal = 0
        if (input.strategy === 'lines') {
          lineTokenizer ??= loadLineTokenizer()
          const { pieces, end } = await splitFileByLines(file, kind, await lineTokenizer, input)
          for (const piece of pieces) await take({ ordinal: ordinal++, ...piece }, piece.text.length)
          return end
        }
        const loaded = await tokenizerIn(input.resourcesDir)
        const maxTokens = Math.min(input.maxTokens ?? loaded.passageBudget, loaded.passageBudget)
        const splitter = createStructureSplitter(loaded, { maxTokens, overlap: input.overlap })
        const give = async (passages: SplitPassage[]): Promise<void> => {
          for (const { text, tokens, place } of passages) await take({ ordinal: ordinal++, text, tokens, place }, text.length)
        }
        const sections = readDocument(file, kind, optionsFor(input, file))
        let next = await sections.next()
        for (; next.done !== true; next = await sections.next()) await give(splitter.push(next.value))
        await give(splitter.end())
        return next.value
      }),
  }
}

function mostOf(languages: ReadonlyMap<Language, number>): Language | null {
  let best: Language | null = null
  for (const [language, characters] of languages) if (best === null || characters > languages.get(best)!) best = language
  return best
}
