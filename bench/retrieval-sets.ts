import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SearchMode } from '../src/contract/search.ts'
import type { Embedder } from '../src/core/embed/embed.ts'
import type { DetailedResult } from '../src/core/search/search.ts'
import { openScratchLibrary, type ScratchDocument, type ScratchLibrary } from '../test/fakes/scratch-library.ts'
import type { CodeSet, QuestionSet } from './question-sets.ts'

export const modes: readonly SearchMode[] = ['hybrid', 'keyword', 'vector']

/** A library of these documents, all of them embedded, thrown away afterwards. */
export async function withLibrary<T>(
  embedder: Embedder,
  documents: ScratchDocument[],
  work: (library: ScratchLibrary) => Promise<T>,
): Promise<T> {
  const dataDir = mkdtempSync(join(tmpdir(), 'siku-bench-'))
  mkdirSync(dataDir, { recursive: true })
  const library = await openScratchLibrary({ dataDir, embedder })
  try {
    const folder = await library.addFolder('/bench')
    for (let at = 0; at < documents.length; at += 500) await library.add(folder, documents.slice(at, at + 500))
    await library.embed()
    return await work(library)
  } finally {
    await library.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

export function paragraphDocuments(name: string, texts: readonly string[]): ScratchDocument[] {
  return texts.map((text, index) => ({ path: `/bench/${name}/${index}`, passages: [text] }))
}

/** In how many of the questions the wanted document is among the first k. */
export async function recallAt(
  library: ScratchLibrary,
  questions: readonly { question: string; path: string }[],
  k: number,
  mode: SearchMode,
  look?: (result: DetailedResult, index: number) => void,
): Promise<number> {
  let found = 0
  for (const [index, { question, path }] of questions.entries()) {
    const result = await library.search.query({ query: question, k: Math.max(k, look ? 10 : 1), mode })
    look?.(result, index)
    if (result.hits.slice(0, k).some((hit) => hit.path === path || hit.alsoAt.includes(path))) found++
  }
  return found / Math.max(1, questions.length)
}

export function wantedOf(name: string, set: QuestionSet): { question: string; path: string }[] {
  return set.questions.map(({ question, paragraph }) => ({ question, path: `/bench/${name}/${paragraph}` }))
}

export function codeDocuments(set: CodeSet): ScratchDocument[] {
  return set.documents.map(({ name, pieces }) => ({ path: `/bench/code/${name}`, kind: 'code', passages: pieces }))
}

/** The share of a question's golden pieces within the first k, for each k; the mean over all questions. */
export async function codeRecall(library: ScratchLibrary, set: CodeSet, at: readonly number[], mode: SearchMode): Promise<number[]> {
  const sums = at.map(() => 0)
  for (const { question, golden } of set.questions) {
    const { hits } = await library.search.query({ query: question, k: Math.max(...at), mode })
    at.forEach((k, index) => {
      const first = hits.slice(0, k)
      const found = golden.filter(({ document, piece }) => {
        const { name, pieces } = set.documents[document]!
        return first.some(
          (hit) => hit.text === pieces[piece] && (hit.path === `/bench/code/${name}` || hit.alsoAt.includes(`/bench/code/${name}`)),
        )
      })
      sums[index]! += found.length / Math.max(1, golden.length)
    })
  }
  return sums.map((sum) => sum / Math.max(1, set.questions.length))
}
