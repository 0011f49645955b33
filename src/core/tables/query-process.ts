/**
 * The entry of the process that runs queries and counts: SQLite cannot be ended in the middle of a statement from another
 * thread, but a process can.
 */
import type { CountAnswer, CountProgress } from '../../contract/tables.ts'
import { serveRpc, type CallContext } from '../work/work.ts'
import { countText, type CountInput } from './count-text.ts'
import { runGuarded, type GuardedQuery, type GuardedRows } from './guarded-query.ts'

export interface QueryApi {
  query(input: GuardedQuery, context: CallContext): GuardedRows
  count(input: CountInput, context: CallContext<CountProgress>): Promise<CountAnswer>
}

serveRpc<QueryApi>({ query: (input) => runGuarded(input), count: (input, context) => countText(input, context) })
