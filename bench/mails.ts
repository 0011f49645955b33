/**
 * Mails of many short remarks, each of something else, and mails of prose: in how many questions the right mail is found first.
 * Built as scripts/bench.mjs does; `node out/bench/mails.js [questions of each set]`.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { builtInEmbedder } from './built-in-embedder.ts'
import { loadTokenizer } from '../src/core/embed/embed.ts'
import { openFile, readDocument } from '../src/core/ingest/read/read.ts'
import { createStructureSplitter, type SplitPassage } from '../src/core/ingest/split.ts'
import { sentenceEnds } from '../src/core/ingest/split-units.ts'
import { dataDirectory, readSquad, type QuestionSet } from './question-sets.ts'
import { recallAt, withLibrary } from './retrieval-sets.ts'

const remarksOfMail = 12
const resourcesDir = join(process.cwd(), 'resources')
const tokenizer = await loadTokenizer(resourcesDir)
const folder = mkdtempSync(join(tmpdir(), 'siku-mails-'))

interface Mail {
  paragraphs: string[]
  questions: string[]
}

/** The sentence that holds the answer to a question: one remark, with the remarks after it of other articles. */
function mailsOfRemarks(set: QuestionSet, every: number): Mail[] {
  const asked = set.questions.filter((_question, index) => index % every === 0)
  const remarks = asked.flatMap(({ question, paragraph, answers }) => {
    const text = set.paragraphs[paragraph]!
    const at = text.indexOf(answers[0]!)
    const ends = sentenceEnds(text, 0, text.length)
    const end = ends.find((each) => each >= at + answers[0]!.length) ?? text.length
    return [{ question, remark: text.slice(ends.findLast((each) => each <= at) ?? 0, end).trim() }]
  })
  const count = Math.ceil(remarks.length / remarksOfMail)
  return Array.from({ length: count }, (_none, mail) => {
    const own = remarks.filter((_remark, index) => index % count === mail)
    return { paragraphs: own.map(({ remark }) => remark), questions: own.map(({ question }) => question) }
  })
}

function mailsOfProse(set: QuestionSet, every: number): Mail[] {
  return Array.from({ length: Math.ceil(set.paragraphs.length / 2) }, (_none, mail) => ({
    paragraphs: set.paragraphs.slice(2 * mail, 2 * mail + 2),
    questions: set.questions
      .filter(({ paragraph }, index) => Math.floor(paragraph / 2) === mail && index % every === 0)
      .map((each) => each.question),
  }))
}

async function passagesOf(mail: Mail, name: string): Promise<SplitPassage[]> {
  const path = join(folder, name)
  const head = [
    'Subject: Some things',
    'From: Ann <ann@example.org>',
    'To: Bob <bob@example.org>',
    'Content-Type: text/plain; charset=utf-8',
    '',
  ]
  writeFileSync(path, [...head, mail.paragraphs.join('\r\n\r\n'), ''].join('\r\n'))
  const opened = openFile(path)
  if (opened.kind === 'failed') throw new Error(opened.reason.message)
  try {
    const splitter = createStructureSplitter(tokenizer, { maxTokens: tokenizer.passageBudget })
    const passages: SplitPassage[] = []
    for await (const section of readDocument(opened.file, 'mail')) passages.push(...splitter.push(section))
    return [...passages, ...splitter.end()]
  } finally {
    opened.file.close()
  }
}

const embedder = builtInEmbedder(process.cwd())
try {
  const data = dataDirectory()
  if (data === null) throw new Error('the question sets are not there')
  const most = Number(process.argv[2] ?? 300)
  for (const language of ['en', 'zh']) {
    const set = readSquad(join(data, 'xquad', `xquad.${language}.dev.json`))
    const every = Math.max(1, Math.ceil(set.questions.length / most))
    for (const [what, mails] of [
      ['remarks', mailsOfRemarks(set, every)],
      ['prose', mailsOfProse(set, every)],
    ] as const) {
      const documents: { path: string; passages: { text: string; heading: string[] }[] }[] = []
      for (const [index, mail] of mails.entries()) {
        const passages = await passagesOf(mail, `${language}-${what}-${index}.eml`)
        documents.push({ path: `/bench/${index}`, passages: passages.map(({ text, heading }) => ({ text, heading })) })
      }
      const questions = mails.flatMap((mail, index) => mail.questions.map((question) => ({ question, path: `/bench/${index}` })))
      await withLibrary(embedder, documents, async (library) => {
        const [at1, at5] = [await recallAt(library, questions, 1, 'hybrid'), await recallAt(library, questions, 5, 'hybrid')]
        const passages = documents.reduce((sum, document) => sum + document.passages.length, 0)
        const shown = (share: number): string => `${(share * 100).toFixed(1)} %`
        console.log(
          `${language}, ${what}: ${mails.length} mails, ${passages} passages, ${questions.length} questions: at 1 ${shown(at1)}, at 5 ${shown(at5)}`,
        )
      })
    }
  }
} finally {
  await embedder.close()
  rmSync(folder, { recursive: true, force: true })
}
