import type { ModelsState } from '../contract/models.ts'
import type { DoctorReport, Settings, SettingsPatch, Status } from '../contract/settings.ts'
import type { Agent } from './agent/agent.ts'
import type { OverviewCalls } from './answer/answer.ts'
import type { CoreDeps } from './deps.ts'
import type { Ingest } from './ingest/ingest.ts'
import type { Mcp } from './mcp/mcp.ts'
import type { Memories } from './memory/memory.ts'
import type { Models } from './models/models.ts'
import type { Search } from './search/search.ts'
import type { Store } from './store/store.ts'
import type { Tables } from './tables/tables.ts'
import type { Turns } from './turns/turns.ts'

export interface SystemInfo {
  version: string
  host: 'electron' | 'browser' | 'terminal'
  platform: string
  homeDir: string
  memoryBytes: number
  secrets: 'keyring' | 'owner-file' | 'plain-file'
  canPickFolders: boolean
  canOpenOutside: boolean
  canLocateDrops: boolean
}

/** The wired parts, as the router sees them. */
export interface CoreContext {
  deps: CoreDeps
  store: Store
  search: Search
  ingest: Ingest
  tables: Tables
  overview: OverviewCalls
  models: Models
  turns: Turns
  agent: Agent
  memories: Memories
  mcp: Mcp
  status(): Status
  modelsState(refresh: boolean): Promise<ModelsState>
  patchSettings(patch: SettingsPatch): Promise<Settings>
  /** After a provider's address or key changed: the embedding model may be another one. */
  providersChanged(): Promise<void>
  doctor(): Promise<DoctorReport>
  info(): SystemInfo
}
