import type { CoreDeps } from '../deps.ts'
import type { Embedder } from '../embed/embed.ts'
import type { Memories } from '../memory/memory.ts'
import type { Models } from '../models/models.ts'
import type { Store } from '../store/store.ts'
import type { Approvals } from './approvals.ts'
import type { Summaries } from './fit.ts'
import type { ToolSet } from './tool-set.ts'

/** What turns of the agent work with, the same for all. */
export interface TurnParts {
  deps: Pick<CoreDeps, 'now' | 'newId' | 'log'>
  store: Store
  models: Models
  memories: Memories
  embedder: () => Embedder
  toolSet: ToolSet
  approvals: Approvals
  summaries: Summaries
}
