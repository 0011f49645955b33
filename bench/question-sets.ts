import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Question {
  question: string
  /** The paragraph that holds the answer. */
  paragraph: number
  answers: string[]
}

export interface QuestionSet {
  paragraphs: string[]
  /** Which article each paragraph is of. */
  articles: number[]
  questions: Question[]
}

export interface CodeSet {
  documents: { name: string; pieces: string[] }[]
  questions: { question: string; golden: { document: number; piece: number }[] }[]
}

interface SquadFile {
  data: { paragraphs: { context: string; qas: { question: string; answers: { text: string }[] }[] }[] }[]
}

export function dataDirectory(): string | null {
  const directory = process.env['SIKU_BENCH_DATA'] ?? join(process.cwd(), '..', 'shared', 'data')
  return existsSync(directory) ? directory : null
}

function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(path, 'utf8')) as T
}

function readLines<T>(path: string): T[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as T)
}

export function readSquad(path: string): QuestionSet {
  const set: QuestionSet = { paragraphs: [], articles: [], questions: [] }
  readJson<SquadFile>(path).data.forEach((article, index) => {
    for (const { context, qas } of article.paragraphs) {
      for (const { question, answers } of qas) {
        set.questions.push({ question, paragraph: set.paragraphs.length, answers: answers.map((answer) => answer.text) })
      }
      set.paragraphs.push(context)
      set.articles.push(index)
    }
  })
  return set
}

export function readCode(directory: string): CodeSet {
  interface Chunks {
    doc_id: string
    original_uuid: string
    chunks: { original_index: number; content: string }[]
  }
  const files = readJson<Chunks[]>(join(directory, 'codebase_chunks.json'))
  const documents = files.map((file) => ({ name: file.doc_id, pieces: file.chunks.map((chunk) => chunk.content) }))
  const place = new Map<string, { document: number; piece: number }>()
  files.forEach((file, document) => {
    file.chunks.forEach((chunk, piece) => place.set(`${file.original_uuid} ${chunk.original_index}`, { document, piece }))
  })
  const name = readdirSync(directory).find((file) => /^questions.*\.jsonl$/.test(file))!
  const questions = readLines<{ query: string; golden_chunk_uuids: [string, number][] }>(join(directory, name)).map((line) => ({
    question: line.query,
    golden: line.golden_chunk_uuids.flatMap(([uuid, index]) => place.get(`${uuid} ${index}`) ?? []),
  }))
  return { documents, questions }
}

/** Every other text there is, as a crowd to be lost in: problems, functions, attacks, in both languages. */
export function readCrowd(directory: string): string[] {
  const texts: string[] = []
  const push = (text: unknown): void => {
    if (typeof text === 'string' && text.trim() !== '') texts.push(text.slice(0, 3000))
  }
  const at = (...parts: string[]): string => join(directory, ...parts)
  const each = (path: string, work: (path: string) => void): void => {
    if (existsSync(path)) work(path)
  }
  each(at('gsm8k', 'test.jsonl'), (path) => {
    for (const { question, answer } of readLines<{ question: string; answer: string }>(path)) push(`${question}\n${answer}`)
  })
  each(at('agieval', 'math-300.jsonl'), (path) => {
    for (const line of readLines<{ question: string; other?: { solution?: string } }>(path))
      push(`${line.question}\n${line.other?.solution ?? ''}`)
  })
  each(at('math', 'cmath_test.jsonl'), (path) => {
    for (const { question } of readLines<{ question: string }>(path)) push(question)
  })
  for (const name of ['mgsm_en.tsv', 'mgsm_zh.tsv'])
    each(at('mgsm', name), (path) =>
      readFileSync(path, 'utf8')
        .split('\n')
        .forEach((line) => push(line.trim())),
    )
  for (const part of ['dev', 'test']) {
    each(at('mmlu', part), (folder) => {
      for (const name of readdirSync(folder).sort()) readFileSync(join(folder, name), 'utf8').split('\n').slice(1).forEach(push)
    })
  }
  each(at('bfcl'), (folder) => {
    for (const name of readdirSync(folder)
      .filter((file) => file.endsWith('.json'))
      .sort()) {
      for (const line of readLines<{ question: { content: string }[][]; function: unknown }>(join(folder, name))) {
        push(`${JSON.stringify(line.question[0]?.[0]?.content)} ${JSON.stringify(line.function)}`)
      }
    }
  })
  for (const name of ['text_attack_train.json', 'code_attack_train.json']) {
    each(at('injection', name), (path) => Object.values(readJson<Record<string, string[]>>(path)).flat().forEach(push))
  }
  each(at('injection', 'blns.json'), (path) => readJson<string[]>(path).forEach(push))
  return texts
}
