import { extname } from 'node:path'
import type { Outcome, Source } from '../../../contract/answer.ts'
import { toSikuError } from '../../../contract/errors.ts'
import { splitInner } from '../../../contract/inner-path.ts'
import type { Language, Scope } from '../../../contract/library.ts'
import type { FileAnswer, FileQuery, Summary, SummaryEvent } from '../../../contract/tables.ts'
import type { ChatModel } from '../../models/models.ts'
import { foldText, languageOfQuestion } from '../../search/search.ts'
import type { Store } from '../../store/store.ts'
import type { TurnInput, TurnRecorder } from '../../turns/turns.ts'
import { classify, type Names, type Overview, type SummaryTarget } from './classify.ts'
import { fileSource, placeSource } from './cite.ts'
import { documentNamed, queryFiles } from './files.ts'
import { answerFromTables, describeNamed } from './from-tables.ts'
import { reasonWords } from './reason-words.ts'
import type { OverviewParts, OverviewRun } from './run.ts'
import { summarise, summaryLanguage } from './summary.ts'
import { plainBasis, plainWords, tell, type ToldLine } from './tell.ts'
import { overviewWords, shownNumber, shownSize, shownTime, type OverviewWords } from './words.ts'

const documentsShown = 10
const filesCited = 5
const filesShown = 20

/** Answers what the top passages cannot: from counts, facts, tables or summaries. Null: it is a question for passages. */
export async function answerOverview(
  recorder: TurnRecorder,
  input: TurnInput,
  parts: OverviewParts,
  model: () => Promise<ChatModel | null>,
  signal: AbortSignal,
): Promise<Outcome | null> {
  const { question } = recorder.turn
  if (input.anyway || input.attachments.length > 0) return null
  const found = classify(question, namesOf(parts))
  const run: OverviewRun = { recorder, parts, scope: input.scope, language: languageOfQuestion(question), model, signal }
  if (found.kind === 'passage') return describeNamed(run, question)
  if (found.kind === 'table') return answerFromTables(run, question)
  return recorder.step('overview', async (end) => {
    end.detail = found.kind
    return answerOne(run, found)
  })
}

function answerOne(run: OverviewRun, found: Exclude<Overview, { kind: 'table' | 'passage' }>): Promise<Outcome | null> {
  switch (found.kind) {
    case 'words':
      return countWords(run, found)
    case 'files':
      return Promise.resolve(tellFiles(run, found))
    case 'summary':
      return tellSummary(run, found.target)
  }
}

function namesOf({ store, now }: OverviewParts): Names {
  return {
    now: now(),
    folders: store.folders.list().map(({ id, name }) => ({ id, name })),
    document: (name) => documentNamed(store, name, foldText)?.id ?? null,
  }
}

async function countWords(run: OverviewRun, found: Extract<Overview, { kind: 'words' }>): Promise<Outcome | null> {
  const { recorder, parts, scope, language, signal } = run
  const answer = await parts.tables.count({ words: found.words, scope, limit: 200 }, { signal })
  // Words without quotes may describe something that stands there in other words.
  if (answer.occurrences === 0 && !found.quoted) return null
  const words = overviewWords(language)
  const said = plainWords(found.words)
  const [times, documents] = [shownNumber(answer.occurrences), shownNumber(answer.documents.length)]
  const lines: ToldLine[] = [
    { text: found.want === 'occurrences' ? words.occurrences(said, times, documents) : words.documentsWith(said, documents) },
  ]
  const shown = answer.documents.slice(0, documentsShown)
  const names = distinctNames(shown.map(({ path }) => path))
  for (const [index, { documentId, path, count }] of shown.entries()) {
    const place = answer.places.find((each) => each.documentId === documentId)
    const sources = place === undefined ? [] : [placeSource(place, 1)]
    lines.push({ text: `${plainWords(names[index] ?? path)}: ${words.times(shownNumber(count))}`, sources, item: true })
  }
  if (answer.documents.length > documentsShown) lines.push({ text: words.more(shownNumber(answer.documents.length - documentsShown)) })
  const unread = answer.unread === 0 ? null : shownNumber(answer.unread)
  const counted = words.countedText(shownNumber(answer.lookedAt), shownNumber(answer.total), unread, answer.complete)
  tell(recorder, lines, plainBasis('text', 'documents', counted, answer.lookedAt, answer.total), found.words)
  return 'answered'
}

/** The names of files; those that are the same in a list with what they lie in. */
function distinctNames(paths: readonly string[]): string[] {
  const named = paths.map((path) => {
    const inner = splitInner(path)
    const parts = (inner?.around ?? path).split(/[\\/]/)
    const last = parts.at(-1) ?? path
    return inner === null ? { name: last, full: parts.slice(-2).join('/') } : { name: inner.name, full: `${inner.name} (${last})` }
  })
  return named.map(({ name, full }) => (named.filter((each) => each.name === name).length > 1 ? full : name))
}

function tellFiles({ recorder, parts, scope, language }: OverviewRun, { want, query }: Extract<Overview, { kind: 'files' }>): Outcome {
  const { store } = parts
  const request: FileQuery = { ...query, scope: { ...scope, ...query.scope }, limit: query.limit ?? filesShown }
  const answer = queryFiles(store, request)
  const words = overviewWords(language)
  const total = shownNumber(answer.total)
  const lines: ToldLine[] = []
  if (want === 'count') lines.push({ text: words.files(total) })
  else if (want === 'pages') lines.push({ text: words.pages(shownNumber(answer.pages), total) })
  else if (want === 'size') lines.push({ text: words.size(shownSize(answer.sizeBytes), total) })
  else if ((want === 'kind' || want === 'added') && answer.files[0] !== undefined) lines.push(factLine(store, answer.files[0], want, words))
  else if (answer.total === 0) lines.push({ text: words.nothing() })
  else {
    const isExtreme = want === 'list' && request.order !== undefined
    if (!isExtreme && answer.files.length !== 1)
      lines.push({ text: want === 'changed' ? words.filesChanged(total) : words.filesListed(total) })
    lines.push(...answer.files.map((file) => fileLine(store, file, request, language)))
    if (!isExtreme && answer.total > answer.files.length) lines.push({ text: words.more(shownNumber(answer.total - answer.files.length)) })
  }
  tell(recorder, lines, plainBasis('files', 'files', words.fileBasis(), answer.total))
  return 'answered'
}

function fileLine(store: Store, file: FileAnswer['files'][number], { order }: FileQuery, language: Language): ToldLine {
  const source = fileSource(store, file.id, 1)
  const pages = order === 'pages' && file.pages !== null ? `, ${file.pages} p.` : ''
  const facts = order === 'added' ? shownTime(file.addedAt) : `${shownSize(file.sizeBytes)}, ${shownTime(file.modifiedAt)}${pages}`
  const reason = file.reason === null ? '' : `, ${reasonWords(file.reason.code, language === 'zh' ? 'zh' : 'en')}`
  return { text: `${plainWords(file.name)} (${facts}${reason})`, sources: source === null ? [] : [source], item: true }
}

function factLine(store: Store, file: FileAnswer['files'][number], want: 'kind' | 'added', words: OverviewWords): ToldLine {
  const source = fileSource(store, file.id, 1)
  const name = plainWords(file.name)
  const text =
    want === 'kind'
      ? words.fileKind(name, extname(file.name).slice(1).toLowerCase(), file.kind, shownSize(file.sizeBytes))
      : words.fileAdded(name, shownTime(file.addedAt))
  return { text, sources: source === null ? [] : [source] }
}

async function tellSummary(run: OverviewRun, target: SummaryTarget): Promise<Outcome | null> {
  const { recorder, parts, scope, signal } = run
  const { question } = recorder.turn
  const of =
    target.of === 'document'
      ? { documentId: target.documentId }
      : { scope: target.of === 'folder' ? { folderIds: [target.folderId] } : scope }
  const language = summaryLanguage(question)
  const model = await run.model()
  let summary: Summary
  try {
    summary = await last(recorder, summarise(parts, { of, model, language, signal }))
  } catch (error) {
    const problem = toSikuError(error)
    if (problem.code === 'not-found') return null
    if (problem.code === 'cancelled' || model === null) throw problem
    recorder.note({ code: 'model-failed', message: problem.message })
    summary = await last(recorder, summarise(parts, { of, model: null, language, signal }))
  }
  recorder.setModel(summary.model)
  if (summary.model === null)
    recorder.note({ code: 'no-model', message: 'No chat model answers, so these are telling sentences of the documents.' })
  else if (model?.info.remote === true)
    recorder.note({ code: 'remote-model', message: `The text was sent to ${summary.model.model}, which runs on somebody else’s machine.` })
  const { unit, lookedAt, total } = summary.basis
  const sources = sourcesOf(parts.store, of)
  const paragraphs = summary.text
    .split(/\n{2,}/)
    .map((text) => text.trim())
    .filter((text) => text !== '')
  const lines = paragraphs.map((text, index): ToldLine =>
    index === 0 ? { text: withoutCites(text), sources } : { text: withoutCites(text) },
  )
  const made = overviewWords(run.language).summaryBasis(unit, shownNumber(lookedAt), shownNumber(total))
  tell(recorder, lines, plainBasis('summary', unit, made, lookedAt, total))
  return summary.model === null ? 'extractive' : 'answered'
}

/** A number in brackets of a summary's own is no citation. */
function withoutCites(text: string): string {
  return text.replace(/\[(\d{1,3})\]/g, '($1)')
}

function sourcesOf(store: Store, of: { documentId: number } | { scope: Scope }): Source[] {
  const ids =
    'documentId' in of
      ? [of.documentId]
      : queryFiles(store, { scope: of.scope, statuses: ['ready', 'partial'], limit: filesCited }).files.map(({ id }) => id)
  return ids.map((id) => fileSource(store, id, 1)).filter((source) => source !== null)
}

/** Each piece is a step of the turn, so that one sees how far it is. */
async function last(recorder: TurnRecorder, events: AsyncGenerator<SummaryEvent, Summary>): Promise<Summary> {
  let next = await events.next()
  while (next.done !== true) {
    const event: SummaryEvent = next.value
    if (event.type === 'summary-end') next = await events.next()
    else {
      next = await recorder.step('overview', (end) => {
        end.detail = `${event.name} ${event.done + 1}/${event.total}`
        return events.next()
      })
    }
  }
  return next.value
}
