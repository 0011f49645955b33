import { z } from 'zod'

/** The closed list of error codes. The interface picks its words by code. */
export const errorCodes = [
  'bad-input',
  'refused',
  'not-found',
  'conflict',
  'cancelled',
  'read-only',
  'busy',
  'no-permission',
  'disk-full',
  'store-damaged',
  'store-newer',
  'model-config',
  'model-call',
  'model-unreachable',
  'context-exceeded',
  'embedding',
  'offline',
  'network',
  'timeout',
  'unsupported',
  'internal',
] as const

export const errorCodeSchema = z.enum(errorCodes)
export type ErrorCode = z.infer<typeof errorCodeSchema>

/** How an error crosses a process border: as a value. `hint` says what to do about it. */
export const errorValueSchema = z.object({
  code: errorCodeSchema,
  message: z.string(),
  hint: z.string().optional(),
  retryable: z.boolean(),
  /** HTTP status of the provider that answered, where there was one. */
  status: z.number().int().optional(),
  /** How long the provider asks to wait. */
  retryAfterMs: z.number().optional(),
})
export type ErrorValue = z.infer<typeof errorValueSchema>

export interface SikuErrorOptions {
  hint?: string
  retryable?: boolean
  status?: number
  retryAfterMs?: number
  cause?: unknown
}

/** The one error class of the product. Everything thrown across a folder's border is one of these. */
export class SikuError extends Error {
  readonly code: ErrorCode
  readonly hint: string | undefined
  readonly retryable: boolean
  readonly status: number | undefined
  readonly retryAfterMs: number | undefined

  constructor(code: ErrorCode, message: string, options: SikuErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'SikuError'
    this.code = code
    this.hint = options.hint
    this.retryable = options.retryable ?? false
    this.status = options.status
    this.retryAfterMs = options.retryAfterMs
  }

  toValue(): ErrorValue {
    return {
      code: this.code,
      message: this.message,
      retryable: this.retryable,
      ...(this.hint === undefined ? {} : { hint: this.hint }),
      ...(this.status === undefined ? {} : { status: this.status }),
      ...(this.retryAfterMs === undefined ? {} : { retryAfterMs: this.retryAfterMs }),
    }
  }

  static fromValue(value: ErrorValue): SikuError {
    return new SikuError(value.code, value.message, value)
  }
}

/** Cancellation is its own kind: it is never shown as a failure. */
export function cancelled(cause?: unknown): SikuError {
  return new SikuError('cancelled', 'cancelled', { cause })
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError'
}

/** Any thrown thing as a SikuError: file-system and abort errors keep their meaning, the rest is `internal`. */
export function toSikuError(error: unknown): SikuError {
  if (error instanceof SikuError) return error
  if (isAbort(error)) return cancelled(error)
  const errno = error instanceof Error && 'code' in error ? String(error.code) : ''
  const message = error instanceof Error ? error.message : String(error)
  if (errno === 'ENOENT' || errno === 'ENOTDIR') return new SikuError('not-found', message, { cause: error })
  if (errno === 'EACCES' || errno === 'EPERM') return new SikuError('no-permission', message, { cause: error })
  if (errno === 'EROFS') return new SikuError('read-only', message, { cause: error })
  if (errno === 'ENOSPC' || errno === 'EDQUOT') {
    return new SikuError('disk-full', message, { cause: error, hint: 'Free some space and try again.' })
  }
  return new SikuError('internal', message, { cause: error })
}

/** Ends every switch over a closed union, so that a new member does not compile until it is handled. */
export function assertNever(value: never): never {
  throw new Error(`unhandled case: ${JSON.stringify(value)}`)
}

interface CallErrorShape {
  code: unknown
  message: string
  data?: unknown
}

function isCallError(error: unknown): error is CallErrorShape {
  return typeof error === 'object' && error !== null && 'code' in error && 'message' in error
}

/**
 * What a failed call of the contract means, on the caller's side of any transport. A broken connection is `network`:
 * the call may be tried again.
 */
export function fromCallError(error: unknown): SikuError {
  if (error instanceof SikuError) return error
  if (isAbort(error)) return cancelled(error)
  if (!isCallError(error)) return toSikuError(error)
  const code = errorCodeSchema.safeParse(error.code)
  if (code.success) {
    const data = errorValueSchema.omit({ code: true, message: true }).safeParse(error.data)
    return new SikuError(code.data, error.message, data.success ? data.data : {})
  }
  if (error.code === 'BAD_REQUEST') return new SikuError('bad-input', error.message, { cause: error })
  if (error.code === 'INTERNAL_SERVER_ERROR') return new SikuError('internal', error.message, { cause: error })
  return toSikuError(error)
}
