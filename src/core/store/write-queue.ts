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
/** Pages kept in memory are given back when nothing was written for so long. */
const idleMs = 10_000

export interface WriteQueue {
  /** Runs the work in a transaction and resolves once that is committed; in order. The work may be run twice. */
  enqueue<Value>(durability: Durability, work: () => Value): Promise<Value>
  whenEmpty(): Promise<void>
}

/** Writes that arrive together share a transaction. When one of them fails, all are rolled back and run again one by one. */
export function createWriteQueue(context: WriteContext): WriteQueue {
  const { database } = context
  let entries: Entry[] = []
  /** How many of the first entries have to run alone. */
  let alone = 0
  let scheduled = false
  let synchronous: Durability = 'full'
  let idleTimer: NodeJS.Timeout | undefined
  const emptyListeners: (() => void)[] = []

  function begin(durability: Durability): void {
    if (durability !== synchronous) {
      database.exec(`PRAGMA synchronous = ${durability}`)
      synchronous = durability
    }
    context.prepare('BEGIN IMMEDIATE').run()
  }

  function commit(): void {
    context.flushTerms()
    context.prepare('COMMIT').run()
  }

  function rollBack(): void {
    context.forgetTerms()
    // A full disk may have ended the transaction already.
    if (database.isTransaction) database.exec('ROLLBACK')
  }

  function runAlone(entry: Entry): void {
    try {
      begin(entry.durability)
      const value = entry.work()
      commit()
      entry.resolve(value)
    } catch (error) {
      rollBack()
      entry.reject(error)
    }
  }

  /** How many were done; 0 when one failed and all have to run alone. */
  function runTogether(group: Entry[]): number {
    const values: unknown[] = []
    const startedAt = performance.now()
    try {
      begin(group.some((entry) => entry.durability === 'full') ? 'full' : 'normal')
      for (const entry of group) {
        values.push(entry.work())
        if (performance.now() - startedAt > groupLimitMs) break
      }
      commit()
    } catch {
      rollBack()
      return 0
    }
    values.forEach((value, index) => group[index]?.resolve(value))
    return values.length
  }

  function flush(): void {
    scheduled = false
    if (alone === 0 && entries.length > 1) {
      const done = runTogether(entries)
      if (done > 0) entries = entries.slice(done)
      else alone = entries.length
    } else {
      const first = entries.shift()
      if (first) runAlone(first)
      alone = Math.max(0, alone - 1)
    }
    if (entries.length > 0) return schedule()
    for (const listener of emptyListeners.splice(0)) listener()
    idleTimer = setTimeout(() => {
      if (database.isOpen) database.exec('PRAGMA shrink_memory')
    }, idleMs)
    idleTimer.unref()
  }

  function schedule(): void {
    if (scheduled) return
    scheduled = true
    clearTimeout(idleTimer)
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
