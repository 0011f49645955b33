import { SikuError, toSikuError } from '../../contract/errors.ts'

/** SQLite's own result codes. */
const full = 13
const extendedShmSize = 4874
const codes: Record<number, [code: 'busy' | 'read-only' | 'store-damaged' | 'no-permission' | 'conflict' | 'internal', hint?: string]> = {
  3: ['no-permission', 'Siku may not read or write its data directory.'],
  5: ['busy', 'Another program holds the library. Try again in a moment.'],
  6: ['busy', 'Another program holds the library. Try again in a moment.'],
  8: ['read-only', 'The data directory cannot be written. Check its permissions, or choose another one.'],
  10: ['internal', 'The disk reported an error. Check the disk and the free space.'],
  11: ['store-damaged', 'Close Siku and restore a backup, or start anew and add the folders again. Your own files are untouched.'],
  14: ['no-permission', 'The library file cannot be opened. Check the permissions of the data directory.'],
  19: ['conflict'],
  26: ['store-damaged', 'Close Siku and restore a backup, or start anew and add the folders again. Your own files are untouched.'],
}

function numberOf(error: object, key: string): number {
  const value = (error as Record<string, unknown>)[key]
  return typeof value === 'number' ? value : 0
}

/** SQLite's errors with the meaning they have for a user. */
export function toStoreError(error: unknown): SikuError {
  if (error instanceof SikuError || !(error instanceof Error)) return toSikuError(error)
  const extended = numberOf(error, 'sqliteExtendedCode') || numberOf(error, 'errcode')
  const primary = extended & 0xff
  if (primary === full || extended === extendedShmSize) {
    return new SikuError('disk-full', 'The disk is full: nothing was written.', {
      hint: 'Free some space and try again. What was stored before is safe.',
      retryable: true,
      cause: error,
    })
  }
  const known = codes[primary]
  if (!known) return toSikuError(error)
  const [code, hint] = known
  return new SikuError(code, error.message, { ...(hint ? { hint } : {}), retryable: code === 'busy', cause: error })
}

export function isDamage(error: unknown): boolean {
  return toStoreError(error).code === 'store-damaged'
}
