import type { Log } from '../deps.ts'
import type { Store } from '../store/store.ts'

/** Drops contents that no document has, once it has been quiet for a while: a file that is moved between folders or saved by renaming is back before. */
export interface Sweeper {
  /** There may be something to drop. */
  dirty(): void
  idle(): void
  busy(): void
  close(): void
}

export function createSweeper(store: Store, log: Log, quietMs = 20_000): Sweeper {
  let isDirty = false
  let timer: NodeJS.Timeout | null = null

  function stop(): void {
    if (timer !== null) clearTimeout(timer)
    timer = null
  }
  function sweep(): void {
    timer = null
    isDirty = false
    store.contents.sweep().catch((error: unknown) => {
      isDirty = true
      log('warn', 'sweeping failed', { error: String(error) })
    })
  }
  return {
    dirty: () => void (isDirty = true),
    idle() {
      if (!isDirty || timer !== null) return
      timer = setTimeout(sweep, quietMs)
      timer.unref()
    },
    busy: stop,
    close() {
      isDirty = false
      stop()
    },
  }
}
