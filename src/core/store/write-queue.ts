import type { WriteContext } from './write-context.ts'

/** `full` survives a power cut once it is answered; `normal` survives the death of the program, and is much faster. */
export type Durability = 'full' | 'normal'

interface Entry {
  durability: Durability
  work: () => unknown
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
}

/** So that somebody who waits for one small write does not wait for a whole flood. */
const groupLimitMs = 40

export interface WriteQueue {
  /** Runs the work in a transaction and resolves once that is committed; in order. */
  enqueue<Value>(durability: Durability, work: () => Value): Promise<Value>
  whenEmpty(): Promise<void>
}

/** Writes that arrive together share a transaction, each in a savepoint of its own. */
export function createWriteQueue(context: WriteContext): WriteQueue {
  const { database } = context
  let entries: Entry[] = []
  let scheduled = false
  let synchronous: Durability = 'full'
  const emptyListeners: (() => void)[] = []

  function begin(durability: Durability): void {
    if (durability !== synchronous) {
      database.exec(`PRAGMA synchronous = ${durability}`)
      synchronous = durability
    }
    context.prepare('BEGIN IMMEDIATE').run()
  }

  function rollBack(): void {
    if (database.isTransaction) database.exec('ROLLBACK')
  }

  function runAlone(entry: Entry): void {
    try {
      begin(entry.durability)
      const value = entry.work()
      context.prepare('COMMIT').run()
      entry.resolve(value)
    } catch (error) {
      rollBack()
      entry.reject(error)
    }
  }

  /** Null when the transaction as a whole was lost. */
  function runTogether(group: Entry[]): { settle: (() => void)[]; done: number } | null {
    const settle: (() => void)[] = []
    const startedAt = performance.now()
    let done = 0
    try {
      begin(group.some((entry) => entry.durability === 'full') ? 'full' : 'normal')
      for (const entry of group) {
        context.prepare('SAVEPOINT one').run()
        try {
          const value = entry.work()
          settle.push(() => entry.resolve(value))
        } catch (error) {
          // A full disk may have ended the transaction already.
          if (!database.isTransaction) return null
          context.prepare('ROLLBACK TO one').run()
          settle.push(() => entry.reject(error))
        }
        context.prepare('RELEASE one').run()
        done++
        if (performance.now() - startedAt > groupLimitMs) break
      }
      context.prepare('COMMIT').run()
      return { settle, done }
    } catch {
      rollBack()
      return null
    }
  }

  function flush(): void {
    scheduled = false
    const first = entries[0]
    if (!first) return
    if (entries.length === 1) {
      entries = []
      runAlone(first)
    } else {
      const result = runTogether(entries)
      if (result) {
        entries = entries.slice(result.done)
        for (const settle of result.settle) settle()
      } else {
        entries = entries.slice(1)
        runAlone(first)
      }
    }
    if (entries.length > 0) schedule()
    else for (const listener of emptyListeners.splice(0)) listener()
  }

  function schedule(): void {
    if (scheduled) return
    scheduled = true
    setImmediate(flush)
  }

  return {
    enqueue: <Value>(durability: Durability, work: () => Value) =>
      new Promise<Value>((resolve, reject) => {
        entries.push({ durability, work, resolve: resolve as (value: unknown) => void, reject })
        schedule()
      }),
    whenEmpty: () => (entries.length === 0 ? Promise.resolve() : new Promise((resolve) => emptyListeners.push(resolve))),
  }
}
