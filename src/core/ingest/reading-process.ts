/** The entry of a reading process: one document at a time, reused, ended at its limits by whoever started it. */
import { serveRpc } from '../work/work.ts'
import { createReadingApi, type ReadingApi } from './reading-api.ts'

// pdf.js takes an Electron process that is not the main one for a web page, and would fetch its tables.
if ('electron' in process.versions) Reflect.defineProperty(process, 'type', { value: 'browser', configurable: true })

// It also prints when it is loaded, before it can be told not to. This process has nothing to say.
Object.assign(globalThis.console, { warn: () => undefined, log: () => undefined })

serveRpc<ReadingApi>(createReadingApi())
export type { ExtractEnd, FileInput, FileState, HashResult, ReadingApi, ReadResult, ReadSlice, SplitInput } from './reading-api.ts'
