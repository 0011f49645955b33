/** The entry of the thread that writes tables.db: the only writing connection to it. */
import { SikuError } from '../../contract/errors.ts'
import { serveRpc } from '../work/work.ts'
import { openTablesWriter, type SheetEvent, type TablesWriter } from './tables-database.ts'

let opened: TablesWriter | null = null

function writer(): TablesWriter {
  if (opened === null) throw new SikuError('internal', 'the tables are not open')
  return opened
}

const api = {
  open({ databasePath }: { databasePath: string }) {
    opened ??= openTablesWriter(databasePath)
    return opened.sources()
  },
  begin: ({ hash, name }: { hash: string; name: string }) => writer().begin(hash, name),
  take: (events: SheetEvent[]) => writer().take(events),
  finish: ({ hash }: { hash: string }) => writer().finish(hash),
  fail: ({ hash, problem }: { hash: string; problem: string }) => writer().fail(hash, problem),
  remove: ({ hashes }: { hashes: string[] }) => writer().remove(hashes),
  putSummary: ({ key, summary, at }: { key: string; summary: string; at: number }) => writer().putSummary(key, summary, at),
  close() {
    opened?.close()
    opened = null
  },
}
export type TablesApi = typeof api

serveRpc<TablesApi>(api)
