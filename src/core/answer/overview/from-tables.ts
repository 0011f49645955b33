import { basename, extname } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { Outcome } from '../../../contract/answer.ts'
import { cancelled, toSikuError } from '../../../contract/errors.ts'
import type { Table } from '../../../contract/tables.ts'
import { foldText } from '../../search/search.ts'
import { quoted } from '../../tables/tables.ts'
import { buildPlan, type TablePlan } from './build.ts'
import { rowSource } from './cite.ts'
import { literal } from './conditions.ts'
import type { OverviewRun } from './run.ts'
import { askTables, relevantTables } from './sql.ts'
import { asksOfSheets, choosePlans, planOne, type KnownWord, type NoPlan, type OnePlan, type Unplanned } from './table.ts'
import { tableWords } from './table-words.ts'
import { plainBasis, plainWords, tell } from './tell.ts'
import { sheetName, tellPlan, tellRows } from './tell-table.ts'
import { shownNumber } from './words.ts'

/** By a pattern where every word is accounted for, exactly and without a model; else by a query that a model writes; else why not. */
export async function answerFromTables(run: OverviewRun, question: string): Promise<Outcome | null> {
  const { recorder, parts, scope } = run
  const tables = parts.tables.list(scope)
  if (tables.length === 0) return null
  if (asksOfSheets(question)) return describeNamed(run, question)
  const found = await heldOf(run, await planAll(run, question, tables))
  if (found !== null && !('why' in found)) {
    return recorder.step('overview', async (end) => {
      end.detail = 'table'
      try {
        return await tellPlan(run, found)
      } catch (error) {
        if (toSikuError(error).code !== 'timeout') throw error
        end.detail = 'too slow'
        return null
      }
    })
  }
  // What the sheet itself leaves open, no query can know.
  const isOpen = found !== null && /^(?:words|either-or|several-asks|which-table)$/.test(found.why.code)
  const written = found === null || isOpen ? await byModel(run, question, tables) : null
  if (written !== null || found === null) return written
  return found.why.code === 'words' && (await standElsewhere(run, found.why.words)) ? null : refuse(run, question, found)
}

/** What only a column's name speaks for is left to passages where any has that name. */
async function heldOf(run: OverviewRun, found: TablePlan | NoPlan | null): Promise<TablePlan | NoPlan | null> {
  if (found === null || 'why' in found || !found.isLoose || found.column === null) return found
  return (await standElsewhere(run, [foldText(found.column.original)])) ? null : found
}

async function byModel(run: OverviewRun, question: string, tables: readonly Table[]): Promise<Outcome | null> {
  const { recorder, parts } = run
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
async function planAll(run: OverviewRun, question: string, tables: readonly Table[]): Promise<TablePlan | NoPlan | null> {
  const { parts, signal } = run
  const found: (OnePlan | Unplanned)[] = []
  for (const [index, table] of tables.entries()) {
    const plan = planOne(question, table, parts.now())
    if (plan !== null) found.push('reason' in plan ? await withCells(run, question, plan) : plan)
    if (index % 10 !== 9) continue
    await setImmediate()
    if (signal.aborted) throw cancelled(signal.reason)
  }
  const chosen = choosePlans(found)
  return chosen === null || 'why' in chosen ? chosen : buildPlan(chosen)
}

const [mostWords, mostColumns] = [3, 30]

/** Words that are no value of a short list may still stand in the cells of one column. */
async function withCells(run: OverviewRun, question: string, unplanned: Unplanned): Promise<OnePlan | Unplanned> {
  const { table, isMeant, reason } = unplanned
  if (reason.code !== 'words' || !isMeant || reason.words.length > mostWords) return unplanned
  // A number, or one letter, stands in many cells by chance.
  if (reason.words.some((word) => !/\p{L}/u.test(word) || (word.length < 3 && !/[\u3400-\u9fff]/.test(word)))) return unplanned
  const texts = table.columns.filter(({ type }) => type === 'text').slice(0, mostColumns)
  if (texts.length === 0) return unplanned
  const known: KnownWord[] = []
  for (const word of reason.words) {
    const hits = texts.flatMap(({ name }) => [
      `sum(fold(${quoted(name)}) = ${literal(word)})`,
      `sum(instr(fold(${quoted(name)}), ${literal(word)}) > 0)`,
    ])
    const { rows } = await run.parts.tables.query(
      { sql: `SELECT ${hits.join(', ')} FROM ${quoted(table.table)}`, scope: run.scope },
      { signal: run.signal },
    )
    const counts = (rows[0] ?? []).map(Number)
    const same = texts.filter((_column, index) => counts[index * 2]! > 0)
    const having = texts.filter((_column, index) => counts[index * 2 + 1]! > 0)
    const columns = same.length > 0 ? same : having
    if (columns.length === 0) return unplanned
    if (columns.length > 1)
      return { ...unplanned, reason: { code: 'value-in-several', value: word, columns: columns.map(({ original }) => original) } }
    known.push({ word, condition: { column: columns[0]!.name, operator: same.length > 0 ? 'same' : 'has', values: [word] } })
  }
  return planOne(question, table, run.parts.now(), known) ?? unplanned
}

/** Whether any of the words stands in a document that is no sheet: a passage may answer then. */
async function standElsewhere({ parts, scope, signal }: OverviewRun, phrases: readonly string[]): Promise<boolean> {
  const sheets = new Set(parts.tables.list(scope).flatMap(({ documents }) => documents.map(({ documentId }) => documentId)))
  for (const word of phrases.flatMap((phrase) => phrase.split(' ')).flatMap(withSingular)) {
    if (word.length > 200) continue
    const { documents, complete } = await parts.tables.count({ words: word, scope, limit: 0 }, { signal })
    if (!complete || documents.some(({ documentId }) => !sheets.has(documentId))) return true
  }
  return false
}

/** "Leases" asks for a lease, "boxes" for a box and "companies" for a company. */
function withSingular(word: string): string[] {
  if (!/^[a-z]{3,}s$/.test(word)) return [word]
  return [word, word.slice(0, -1), ...(word.endsWith('es') ? [word.replace(/ies$/, 'y').replace(/es$/, '')] : [])]
}

function refuse(run: OverviewRun, question: string, { why: reason, tables }: NoPlan): Outcome {
  const [widest] = [...tables].sort((one, other) => other.rows - one.rows)
  const columns = widest?.columns.map(({ original }) => original) ?? []
  const why = reason.code === 'words' ? { ...reason, words: reason.words.map((word) => asWritten(question, word)), columns } : reason
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  const words = tableWords(run.language)
  const sources = tables.slice(0, 3).flatMap((table) => rowSource(run.parts.store, table, null, 1) ?? [])
  tell(run.recorder, [{ text: words.cannot(why, tables.map(sheetName), shownNumber(rows)), sources }], {
    ...plainBasis(
      'tables',
      'rows',
      words.basis(
        shownNumber(tables.length),
        shownNumber(rows),
        tables.some(({ cut }) => cut),
      ),
      rows,
    ),
    sheets: tables.map((table) => ({
      path: table.documents[0]?.path ?? '',
      sheet: table.sheet,
      rows: table.rows,
      counted: null,
      value: null,
    })),
  })
  return 'not-found'
}

/** A folded word as the question has it. */
function asWritten(question: string, word: string): string {
  const plain = question.normalize('NFKC')
  const at = foldText(plain).indexOf(word)
  return plainWords(at === -1 || foldText(plain).length !== plain.length ? word : plain.slice(at, at + word.length), 60)
}

/** A question that is the name of a sheet and nothing else: what is in it. Null for every other. */
export async function describeNamed(run: OverviewRun, question: string): Promise<Outcome | null> {
  if (question.length > 200) return null
  const asked = foldText(question).replace(/[?？!！。."“”《》\s]+$|^["“《\s]+/g, '')
  const isNamed = ({ sheet, documents }: Table): boolean =>
    [sheet, ...documents.flatMap(({ path }) => [basename(path), basename(path, extname(path))])].some(
      (name) => !/^sheet\d*$|^工作表\d*$/i.test(name) && foldText(name) === asked,
    )
  const tables = asked.length < 2 ? [] : run.parts.tables.list(run.scope).filter(isNamed)
  if (tables.length === 0 || tables.length > 20) return null
  return run.recorder.step('overview', (end) => {
    end.detail = 'table'
    const words = tableWords(run.language)
    const rows = tables.reduce((sum, table) => sum + table.rows, 0)
    const lines = tables.map((table) => ({
      text: words.overview(
        sheetName(table),
        shownNumber(table.rows),
        table.columns.map(({ original, name }) => plainWords(original || name, 40)),
      ),
      sources: [rowSource(run.parts.store, table, null, 1)].filter((source) => source !== null),
    }))
    tell(run.recorder, lines, plainBasis('tables', 'rows', words.basis(shownNumber(tables.length), shownNumber(rows), false), rows))
    return Promise.resolve('answered' as const)
  })
}
