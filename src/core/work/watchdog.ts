import { randomUUID } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'

/** Below half of the limit. */
const checkEveryMs = 100
/** Above it: a page that is unpacked grows by a gigabyte a second. */
const checkCloselyMs = 20
const limitFlag = '--memory-limit='
const markFlag = '--memory-mark='

/**
 * A thread cannot give its process an exit code, and the main thread may spin: so the thread leaves a mark, an empty file
 * that the parent looks for, and ends the process by signal. A child whose parent was killed is ended too: one that spins
 * never hears of it. Kept as text so that it needs no file of its own in any bundle.
 */
const watchdogSource = `
const { workerData } = require('node:worker_threads')
const { writeFileSync } = require('node:fs')
const { parent } = workerData
function isOrphan() {
  if (process.ppid !== parent) return true
  if (process.platform !== 'win32') return false
  try { process.kill(parent, 0); return false } catch (error) { return error.code === 'ESRCH' }
}
function end() { process.kill(process.pid, 'SIGKILL') }
let last = Infinity
function look() {
  const { limitBytes, everyMs, closelyMs } = workerData
  const now = process.memoryUsage.rss()
  const isClose = now > limitBytes / 2
  // What it grew by since the last look, it will have grown by at the next.
  if (now + Math.max(0, now - last) > limitBytes) {
    try { writeFileSync(workerData.mark, '') } catch {}
    end()
  }
  last = isClose ? now : Infinity
  setTimeout(look, isClose ? closelyMs : everyMs)
}
look()
setInterval(() => { if (isOrphan()) end() }, 1000)
`

export interface MemoryLimit {
  args: string[]
  /** True when the watchdog ended the process; removes its mark. */
  wasExceeded(): boolean
}

/** Arguments for a child that must not grow beyond a resident size. */
export function memoryLimit(limitBytes: number): MemoryLimit {
  const mark = join(tmpdir(), `siku-memory-${randomUUID()}`)
  return {
    args: [`${limitFlag}${limitBytes}`, `${markFlag}${mark}`],
    wasExceeded() {
      const exceeded = existsSync(mark)
      if (exceeded) rmSync(mark, { force: true })
      return exceeded
    },
  }
}

/** Watches this process when its arguments carry a limit. */
export function startWatchdog(args: string[]): void {
  const limit = args.find((arg) => arg.startsWith(limitFlag))
  const mark = args.find((arg) => arg.startsWith(markFlag))
  if (limit === undefined || mark === undefined) return
  const workerData = {
    limitBytes: Number(limit.slice(limitFlag.length)),
    mark: mark.slice(markFlag.length),
    everyMs: checkEveryMs,
    closelyMs: checkCloselyMs,
    parent: process.ppid,
  }
  const worker = new Worker(watchdogSource, { eval: true, workerData, execArgv: [], name: 'memory-watchdog' })
  worker.unref()
}
