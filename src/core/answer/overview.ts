import { setImmediate } from 'node:timers/promises'
import type { Outcome, Source } from '../../contract/answer.ts'
import { cancelled, toSikuError } from '../../contract/errors.ts'
import type { Language, Scope } from '../../contract/library.ts'
import type { FileAnswer, FileQuery, Summary, SummaryEvent, Table, TableAnswer, TableCell } from '../../contract/tables.ts'
import type { ChatModel } from '../models/models.ts'
import { foldText, languageOf } from '../search/search.ts'
import type { Store } from '../store/store.ts'
import type { Tables } from '../tables/tables.ts'
import type { TurnInput, TurnRecorder } from '../turns/turns.ts'
import { classify, type Names, type Overview, type SummaryTarget } from './overview-classify.ts'
import { fileSource, placeSource, rowSource } from './overview-cite.ts'
import { documentNamed, queryFiles } from './overview-files.ts'
import { askTables, relevantTables } from './overview-sql.ts'
import { summarise, summaryLanguage } from './overview-summary.ts'
import { choosePlan, planOne, type OnePlan, type TablePlan } from './overview-table.ts'
import { plainWords, tell, type ToldLine } from './overview-tell.ts'
import { overviewWords, shownNumber, shownSize, shownTime } from './overview-words.ts'

export interface OverviewParts {
  store: Store
  tables: Tables
  now: () => number
}

interface Run {
  recorder: TurnRecorder
  parts: OverviewParts
  scope: Scope
  language: Language
  /** Null: none answers. */
  model: () => Promise<ChatModel | null>
  signal: AbortSignal
}

const documentsShown = 10
const rowsCited = 5
const rowsShown = 20

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
  if (found.kind === 'passage') return null
  const run: Run = { recorder, parts, scope: input.scope, language: languageOf(question), model, signal }
  if (found.kind === 'table') return answerFromTables(run, question)
  return recorder.step('overview', async (end) => {
    end.detail = found.kind
    return answerOne(run, found)
  })
}

function answerOne(run: Run, found: Exclude<Overview, { kind: 'table' | 'passage' }>): Promise<Outcome | null> {
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

async function countWords(run: Run, found: Extract<Overview, { kind: 'words' }>): Promise<Outcome | null> {
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
  for (const { documentId, path, count } of answer.documents.slice(0, documentsShown)) {
    const place = answer.places.find((each) => each.documentId === documentId)
    const sources = place === undefined ? [] : [placeSource(place, 1)]
    lines.push({ text: `${plainWords(nameOf(path))}: ${words.times(shownNumber(count))}`, sources, item: true })
  }
  if (answer.documents.length > documentsShown) lines.push({ text: words.more(shownNumber(answer.documents.length - documentsShown)) })
  const unread = answer.unread === 0 ? null : shownNumber(answer.unread)
  tell(recorder, lines, words.countedText(shownNumber(answer.lookedAt), shownNumber(answer.total), unread, answer.complete))
  return 'answered'
}

function nameOf(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? path
}

function tellFiles({ recorder, parts, scope, language }: Run, { want, query }: Extract<Overview, { kind: 'files' }>): Outcome {
  const { store } = parts
  const request: FileQuery = { ...query, scope: { ...scope, ...query.scope }, limit: query.limit ?? rowsShown }
  const answer = queryFiles(store, request)
  const words = overviewWords(language)
  const total = shownNumber(answer.total)
  const lines: ToldLine[] = []
  if (want === 'count') lines.push({ text: words.files(total) })
  else if (want === 'pages') lines.push({ text: words.pages(shownNumber(answer.pages), total) })
  else if (want === 'size') lines.push({ text: words.size(shownSize(answer.sizeBytes), total) })
  else if (answer.total === 0) lines.push({ text: words.nothing() })
  else {
    const isExtreme = want === 'list' && request.order !== undefined
    if (!isExtreme && answer.files.length !== 1)
      lines.push({ text: want === 'changed' ? words.filesChanged(total) : words.filesListed(total) })
    lines.push(...answer.files.map((file) => fileLine(store, file, request)))
    if (!isExtreme && answer.total > answer.files.length) lines.push({ text: words.more(shownNumber(answer.total - answer.files.length)) })
  }
  tell(recorder, lines, words.fileBasis())
  return 'answered'
}

function fileLine(store: Store, file: FileAnswer['files'][number], { order }: FileQuery): ToldLine {
  const source = fileSource(store, file.id, 1)
  const pages = order === 'pages' && file.pages !== null ? `, ${file.pages} p.` : ''
  const facts = order === 'added' ? shownTime(file.addedAt) : `${shownSize(file.sizeBytes)}, ${shownTime(file.modifiedAt)}${pages}`
  const reason = file.reason === null ? '' : `, ${file.reason.code}`
  return { text: `${plainWords(file.name)} (${facts}${reason})`, sources: source === null ? [] : [source], item: true }
}

async function tellSummary(run: Run, target: SummaryTarget): Promise<Outcome | null> {
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
  tell(recorder, lines, overviewWords(run.language).summaryBasis(unit, shownNumber(lookedAt), shownNumber(total)))
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
      : queryFiles(store, { scope: of.scope, statuses: ['ready', 'partial'], limit: rowsCited }).files.map(({ id }) => id)
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

/** By a pattern where every word is accounted for, exactly and without a model; else by a query that a model writes. */
async function answerFromTables(run: Run, question: string): Promise<Outcome | null> {
  const { recorder, parts, scope, signal } = run
  const tables = parts.tables.list(scope)
  if (tables.length === 0) return null
  const plan = await planAll(question, tables, signal)
  if (plan !== null) {
    return recorder.step('overview', async (end) => {
      end.detail = 'table'
      try {
        return await tellPlan(run, plan)
      } catch (error) {
        if (toSikuError(error).code !== 'timeout') throw error
        end.detail = 'too slow'
        return null
      }
    })
  }
  const chosen = relevantTables(question, tables)
  if (chosen.length === 0) return null
  const model = await run.model()
  if (model === null) return null
  return recorder.step('overview', async (end) => {
    end.detail = model.info.ref.model
    const answer = await askTables({ model, tables: parts.tables, question, signal: run.signal }, chosen)
    end.count = answer?.rows.length ?? 0
    if (answer === null || answer.rows.length === 0 || answer.rows.every((row) => row.every((cell) => cell === null))) return null
    recorder.setModel(model.info.ref)
    if (model.info.remote)
      recorder.note({
        code: 'remote-model',
        message: `Rows of the tables were sent to ${model.info.ref.model}, which runs on somebody else’s machine.`,
      })
    tellRows(run, answer, tables)
    return 'answered'
  })
}

/** Nobody waits for a thousand sheets: in between, others have their turn. */
async function planAll(question: string, tables: readonly Table[], signal: AbortSignal): Promise<TablePlan | null> {
  const plans: OnePlan[] = []
  for (const [index, table] of tables.entries()) {
    plans.push(...[planOne(question, table)].filter((plan) => plan !== null))
    if (index % 10 !== 9) continue
    await setImmediate()
    if (signal.aborted) throw cancelled(signal.reason)
  }
  return choosePlan(plans)
}

async function tellPlan(run: Run, plan: TablePlan): Promise<Outcome | null> {
  const { recorder, parts, language, scope, signal } = run
  const words = overviewWords(language)
  const answer = await parts.tables.query({ sql: plan.sql, scope, limit: 100 }, { signal })
  const value = answer.rows[0]?.[0] ?? null
  if (plan.aggregate !== 'count' && plan.aggregate !== 'list' && (answer.rows.length === 0 || value === null)) return null
  const basis = tableBasis(run, answer)
  if (plan.group !== null) {
    const lines: ToldLine[] = [{ text: words.groups(), sources: plan.tables.flatMap((table) => cited(parts.store, table, null)) }]
    for (const row of answer.rows) lines.push({ text: row.map(shownCell).join(': '), item: true })
    tell(recorder, lines, basis)
    return 'answered'
  }
  const behind = await parts.tables.query({ sql: `${plan.rowsSql} LIMIT ${rowsShown}`, scope, limit: rowsShown }, { signal })
  const isExtreme = plan.aggregate === 'max' || plan.aggregate === 'min'
  const column = plan.column === null ? '' : plainWords(plan.column.original)
  const rows = behind.rows.map(([name, row, label]) => ({
    table: plan.tables.find(({ table }) => table === name),
    row: Number(row),
    label,
  }))
  const sourcesOfRow = ({ table, row }: (typeof rows)[number]): Source[] => (table === undefined ? [] : cited(parts.store, table, row))
  const firstSources = isExtreme || plan.aggregate === 'list' ? [] : rows.slice(0, rowsCited).flatMap(sourcesOfRow)
  const sources =
    firstSources.length > 0 || rows.length > 0
      ? firstSources
      : plan.tables.slice(0, rowsCited).flatMap((table) => cited(parts.store, table, null))
  const text =
    plan.aggregate === 'count' || plan.aggregate === 'list'
      ? words.rows(shownCell(value))
      : plan.aggregate === 'distinct'
        ? words.distinct(column, shownCell(value))
        : words.aggregate(plan.aggregate, column, shownCell(value))
  const lines: ToldLine[] = [{ text, sources }]
  if (isExtreme || plan.aggregate === 'list') {
    for (const row of rows)
      lines.push({ text: `${shownCell(row.label ?? null)} (${words.sheetRow(String(row.row))})`, sources: sourcesOfRow(row), item: true })
    if (plan.aggregate === 'list' && Number(value) > rows.length) lines.push({ text: words.more(shownNumber(Number(value) - rows.length)) })
  }
  tell(recorder, lines, basis)
  return 'answered'
}

function tellRows(run: Run, answer: TableAnswer, tables: readonly Table[]): void {
  const { recorder, parts, language } = run
  const words = overviewWords(language)
  const read = tables.filter(({ table }) => answer.sheets.some((sheet) => sheet.table === table))
  const rowAt = answer.columns.indexOf('_row')
  const single = answer.rows.length === 1 && answer.columns.length === 1
  const whole = read.slice(0, rowsCited).flatMap((table) => cited(parts.store, table, null))
  const lines: ToldLine[] = [{ text: single ? `${shownCell(answer.rows[0]![0]!)}` : words.result(), sources: rowAt === -1 ? whole : [] }]
  if (!single) {
    for (const row of answer.rows.slice(0, rowsShown)) {
      const cells = row.flatMap((cell, index) =>
        index === rowAt ? [] : [`${plainWords(answer.columns[index] ?? '', 40)}: ${shownCell(cell)}`],
      )
      // Which sheet a row is of can be said only where there is one.
      const sources = rowAt !== -1 && read.length === 1 ? cited(parts.store, read[0]!, Number(row[rowAt])) : []
      lines.push({ text: cells.join(' · '), sources, item: true })
    }
    if (answer.rows.length > rowsShown || answer.more)
      lines.push({ text: answer.more ? '…' : words.more(shownNumber(answer.rows.length - rowsShown)) })
  }
  tell(recorder, lines, tableBasis(run, answer))
}

function tableBasis({ language }: Run, answer: TableAnswer): string {
  const cut = answer.sheets.some((sheet) => sheet.cut)
  return overviewWords(language).tableBasis(shownNumber(answer.sheets.length), shownNumber(answer.rowsLookedAt), answer.sql, cut)
}

function cited(store: Store, table: Table, row: number | null): Source[] {
  const source = rowSource(store, table, row, 1)
  return source === null ? [] : [source]
}

function shownCell(cell: TableCell): string {
  if (cell === null) return '–'
  return typeof cell === 'number' ? shownNumber(cell) : plainWords(cell)
}
