import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Log, LogLevel } from '../deps.ts'

const rank: Record<LogLevel, number> = { debug: 0, info: 1, warn: 2, error: 3 }
const maximumBytes = 4_000_000

export interface LogFileOptions {
  dataDir: string
  now: () => number
  level?: LogLevel
  /** Also told: a terminal that asked for details. */
  echo?: Log
}

/** Details stand beside the line's own words and never in their place: one of their names gets a sign. */
function beside(details: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(details).map(([key, value]) => [own.has(key) ? `${key}_` : key, value]))
}

const own = new Set(['at', 'level', 'message'])

/** One line of JSON per event in `logs/siku.log`, two files of 4 MB at most. Logging never fails the work. */
export function fileLog({ dataDir, now, level = 'info', echo }: LogFileOptions): Log {
  const directory = join(dataDir, 'logs')
  const path = join(directory, 'siku.log')
  let written = -1
  return (lineLevel, message, details) => {
    echo?.(lineLevel, message, details)
    if (rank[lineLevel] < rank[level]) return
    try {
      const line = `${JSON.stringify({ at: new Date(now()).toISOString(), level: lineLevel, message, ...beside(details ?? {}) })}\n`
      if (written < 0) {
        mkdirSync(directory, { recursive: true, mode: 0o700 })
        written = statSync(path, { throwIfNoEntry: false })?.size ?? 0
      }
      if (written > maximumBytes) {
        renameSync(path, join(directory, 'siku.1.log'))
        written = 0
      }
      appendFileSync(path, line, { mode: 0o600 })
      written += line.length
    } catch {
      // A full or read-only disk: the work itself will say so. Or a detail that cannot be written.
    }
  }
}
