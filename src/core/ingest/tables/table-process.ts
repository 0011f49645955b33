/** The entry of the process that reads sheets for their tables: one document at a time, ended at its limits by whoever started it. */
import { cancelled } from '../../../contract/errors.ts'
import type { SheetEvent } from '../../tables/tables.ts'
import { serveRpc, type CallContext } from '../../work/work.ts'
import { createOpener } from '../read/inner.ts'
import { openTables } from '../read/sheet.ts'
import { mostCharacters, sheetEvents } from './sheet-events.ts'

export type TableFileRead = { kind: 'ok' } | { kind: 'changed' } | { kind: 'failed'; problem: string }

const mostSheets = 500

export interface TableProcessApi {
  /** The tables of the file at this path, if it still holds these bytes. */
  read(input: { path: string; hash: string }, context: CallContext<SheetEvent[]>): Promise<TableFileRead>
}

const open = createOpener()

async function read({ path, hash }: { path: string; hash: string }, { signal, emit }: CallContext<SheetEvent[]>): Promise<TableFileRead> {
  const opened = await open(path)
  if (opened.kind === 'failed') return { kind: 'changed' }
  const { file } = opened
  try {
    if (file.sha256() !== hash) return { kind: 'changed' }
    const tables = await openTables(file)
    if ('status' in tables) return { kind: 'failed', problem: tables.reason?.code ?? 'damaged' }
    const budget = { characters: mostCharacters }
    let sheets = 0
    for await (const table of tables.tables) {
      if (sheets++ >= mostSheets) break
      for await (const events of sheetEvents(table, budget)) {
        await emit(events)
        if (signal.aborted) throw cancelled()
      }
    }
    return file.changed() ? { kind: 'changed' } : { kind: 'ok' }
  } catch (error) {
    if (signal.aborted) throw error
    return { kind: 'failed', problem: error instanceof Error ? error.message : String(error) }
  } finally {
    file.close()
  }
}

serveRpc<TableProcessApi>({ read })
