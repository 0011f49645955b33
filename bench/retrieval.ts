import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { evidenceFor } from '../src/core/answer/evidence.ts'
import { extractAnswer } from '../src/core/answer/extract.ts'
import type { SearchMode } from '../src/contract/search.ts'
import type { Embedder } from '../src/core/embed/embed.ts'
import { languageOf } from '../src/core/search/search.ts'
import type { ScratchDocument } from '../test/fakes/scratch-library.ts'
import { benchClaims, type ClaimRates } from './claims.ts'
import { dataDirectory, readCode, readCrowd, readSquad, type QuestionSet } from './question-sets.ts'
import { codeDocuments, codeRecall, modes, paragraphDocuments, recallAt, wantedOf, withLibrary } from './retrieval-sets.ts'

export interface RetrievalBench {
  /** Recall at 1 and 5 of each set and mode. */
  sets: { set: string; mode: SearchMode; at1: number; at5: number }[]
  code: { mode: SearchMode; at5: number; at10: number; at20: number }[]
  /** Recall at 5. `alone`: what searching only the right language finds. */
  mixed: { library: string; asked: string; same: number; other: number; alone?: number }[]
  /** The gold answer is within the first three chosen sentences. */
  extractive: { set: string; rate: number }[]
  claims: { set: string; rates: ClaimRates }[]
  /** "Not in the library": said of answerable and of unanswerable questions. */
  notes: { set: string; wrong: number; right: number }[]
}

/** How well the right thing is found, said and checked, on the question sets that lie beside the project. Null without them. */
export async function benchRetrieval(embedder: Embedder, options: { crowd?: boolean } = {}): Promise<RetrievalBench | null> {
  const data = dataDirectory()
  if (data === null) return null
  const squads = [
    ['XQuAD English', join(data, 'xquad', 'xquad.en.dev.json')],
    ['XQuAD Chinese', join(data, 'xquad', 'xquad.zh.dev.json')],
    ['CMRC 2018 trial', join(data, 'cmrc2018', 'cmrc2018_trial.json')],
  ].flatMap(([name, path]) => (existsSync(path!) ? [{ name: name!, set: readSquad(path!) }] : []))
  const bench: RetrievalBench = { sets: [], code: [], mixed: [], extractive: [], claims: [], notes: [] }
  for (const { name, set } of squads) {
    await oneSet(bench, embedder, name, set)
    bench.notes.push(await notesOn(embedder, name, set))
  }
  if (existsSync(join(data, 'code-search'))) {
    const code = readCode(join(data, 'code-search'))
    await withLibrary(embedder, codeDocuments(code), async (library) => {
      for (const mode of modes) {
        const [at5, at10, at20] = await codeRecall(library, code, [5, 10, 20], mode)
        bench.code.push({ mode, at5: at5!, at10: at10!, at20: at20! })
      }
    })
  }
  const [english, chinese, cmrc] = squads.map((squad) => squad.set)
  if (!english || !chinese) return bench
  const folder = mixedDocuments(english, chinese)
  bench.mixed.push(...(await mixedOn(embedder, 'mixed folder', folder, english, chinese, false)))
  if (options.crowd ?? true) {
    const crowd = [
      ...folder,
      ...paragraphDocuments('cmrc', cmrc?.paragraphs ?? []),
      ...(existsSync(join(data, 'code-search')) ? codeDocuments(readCode(join(data, 'code-search'))) : []),
      ...paragraphDocuments('crowd', readCrowd(data)),
    ]
    bench.mixed.push(...(await mixedOn(embedder, 'among every other text', crowd, english, chinese, true)))
  }
  bench.claims = await benchClaims(embedder, english, chinese)
  return bench
}

async function oneSet(bench: RetrievalBench, embedder: Embedder, name: string, set: QuestionSet): Promise<void> {
  await withLibrary(embedder, paragraphDocuments('set', set.paragraphs), async (library) => {
    for (const mode of modes) {
      let found = 0
      const wanted = wantedOf('set', set)
      let answered = 0
      const at5 = await recallAt(library, wanted, 5, mode, ({ hits }, index) => {
        if (hits[0] && (hits[0].path === wanted[index]!.path || hits[0].alsoAt.includes(wanted[index]!.path))) found++
        if (mode !== 'hybrid') return
        const { question, answers } = set.questions[index]!
        const { sentences } = extractAnswer({
          question,
          sources: hits.map((hit, place) => ({ marker: place + 1, text: hit.text, score: hit.score })),
        })
        if (sentences.some(({ quote }) => answers.some((answer) => quote.includes(answer)))) answered++
      })
      bench.sets.push({ set: name, mode, at1: found / wanted.length, at5 })
      if (mode === 'hybrid') bench.extractive.push({ set: name, rate: answered / wanted.length })
    }
  })
}

/** The library holds every other article; questions on the rest have no answer in it. */
async function notesOn(embedder: Embedder, name: string, set: QuestionSet): Promise<RetrievalBench['notes'][number]> {
  const counts = { wrong: 0, answerable: 0, right: 0, unanswerable: 0 }
  for (const half of [0, 1]) {
    const kept = set.paragraphs.flatMap((text, index) =>
      set.articles[index]! % 2 === half ? [{ path: `/bench/notes/${index}`, passages: [text] }] : [],
    )
    await withLibrary(embedder, kept, async (library) => {
      for (const { question, paragraph } of set.questions) {
        const { weak } = evidenceFor(question, await library.search.query({ query: question, k: 8 }))
        if (set.articles[paragraph]! % 2 === half) {
          counts.answerable++
          if (weak) counts.wrong++
        } else {
          counts.unanswerable++
          if (weak) counts.right++
        }
      }
    })
  }
  return { set: name, wrong: counts.wrong / counts.answerable, right: counts.right / counts.unanswerable }
}

/** Even paragraphs in English only, odd ones in Chinese only. */
function mixedDocuments(english: QuestionSet, chinese: QuestionSet): ScratchDocument[] {
  return english.paragraphs.map((text, index) => ({
    path: `/bench/mixed/${index}`,
    passages: [index % 2 === 0 ? text : chinese.paragraphs[index]!],
  }))
}

async function mixedOn(
  embedder: Embedder,
  label: string,
  documents: ScratchDocument[],
  english: QuestionSet,
  chinese: QuestionSet,
  withAlone: boolean,
): Promise<RetrievalBench['mixed']> {
  const asked = [
    { language: 'en', set: english, isOwn: (paragraph: number) => paragraph % 2 === 0 },
    { language: 'zh', set: chinese, isOwn: (paragraph: number) => paragraph % 2 === 1 },
  ]
  const rows = await withLibrary(embedder, documents, async (library) => {
    const found: RetrievalBench['mixed'] = []
    for (const { language, set, isOwn } of asked) {
      const wanted = wantedOf('mixed', set)
      const same = await recallAt(
        library,
        wanted.filter((_one, index) => isOwn(set.questions[index]!.paragraph)),
        5,
        'hybrid',
      )
      const other = await recallAt(
        library,
        wanted.filter((_one, index) => !isOwn(set.questions[index]!.paragraph)),
        5,
        'hybrid',
      )
      found.push({ library: label, asked: language, same, other })
    }
    return found
  })
  if (!withAlone) return rows
  for (const { language, set, isOwn } of asked) {
    const right = documents.flatMap((document) => {
      const passages = document.passages.filter((passage) => languageOf(passage as string) === (language === 'en' ? 'zh' : 'en'))
      return passages.length > 0 ? [{ ...document, passages }] : []
    })
    const wanted = wantedOf('mixed', set).filter((_one, index) => !isOwn(set.questions[index]!.paragraph))
    const row = rows.find((one) => one.asked === language)
    if (row) row.alone = await withLibrary(embedder, right, (library) => recallAt(library, wanted, 5, 'hybrid'))
  }
  return rows
}
