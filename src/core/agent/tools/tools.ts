import type { Settings } from '../../../contract/settings.ts'
import type { OverviewCalls } from '../../answer/answer.ts'
import type { CoreDeps } from '../../deps.ts'
import type { Memories } from '../../memory/memory.ts'
import type { Net } from '../../net/net.ts'
import type { Search } from '../../search/search.ts'
import type { Store } from '../../store/store.ts'
import type { Tool } from '../tool.ts'
import { createCalculate } from './calculate.ts'
import { createConvertUnits } from './convert-units.ts'
import { createCountInLibrary } from './count-in-library.ts'
import { createCountLetters } from './count-letters.ts'
import { createGetCurrentDatetime } from './get-current-datetime.ts'
import { createListDocuments } from './list-documents.ts'
import { createQueryTable } from './query-table.ts'
import { createReadDocument } from './read-document.ts'
import { createRunJavascript } from './run-javascript.ts'
import { createSearchLibrary } from './search-library.ts'
import { createSummariseDocument } from './summarise-document.ts'
import { createWriteNote } from './write-note.ts'
import { createGetWeather } from './get-weather.ts'
import { createReadWebPage } from './read-web-page.ts'
import { createSearchWeb } from './search-web.ts'
import { createSearchWikipedia } from './search-wikipedia.ts'
import { createForget } from './forget.ts'
import { createRecall } from './recall.ts'
import { createRemember } from './remember.ts'

/** What built-in tools work with. */
export interface ToolParts {
  deps: Pick<CoreDeps, 'now' | 'newId' | 'log' | 'workerUrl' | 'startProcess'>
  settings: () => Settings
  store: Store
  search: Search
  net: Net
  memories: Memories
  /** Counts, sheets and summaries: answers from more than passages. */
  overview: OverviewCalls
}

/** Every built-in tool: one line each. */
const builtIn: ((parts: ToolParts) => Tool)[] = [
  createSearchLibrary,
  createReadDocument,
  createListDocuments,
  createQueryTable,
  createCountInLibrary,
  createSummariseDocument,
  createGetCurrentDatetime,
  createCalculate,
  createConvertUnits,
  createCountLetters,
  createWriteNote,
  createRunJavascript,
  createSearchWikipedia,
  createSearchWeb,
  createReadWebPage,
  createGetWeather,
  createRemember,
  createRecall,
  createForget,
]

export function createTools(parts: ToolParts): Tool[] {
  return builtIn.map((create) => create(parts))
}
