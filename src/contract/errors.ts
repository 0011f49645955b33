import { z } from 'zod'
import { codeOfReason, errorReasonSchema, reasonText, type ErrorReason, type ErrorReasonCode } from './error-reasons.ts'

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

/**
 * How an error crosses a process border: as a value. `hint` says what to do about it. Message and hint are English; a `reason`
 * has words in each language, see `problemText`.
 */
export const errorValueSchema = z.object({
  code: errorCodeSchema,
  message: z.string(),
  hint: z.string().optional(),
  retryable: z.boolean(),
  /** HTTP status of the provider that answered, where there was one. */
  status: z.number().int().optional(),
  /** How long the provider asks to wait. */
  retryAfterMs: z.number().optional(),
  /** One of the closed list; a newer one than is known here is left out. */
  reason: errorReasonSchema.optional().catch(undefined),
})
export type ErrorValue = z.infer<typeof errorValueSchema>

export interface SikuErrorOptions {
  hint?: string
  retryable?: boolean
  status?: number
  retryAfterMs?: number
  reason?: ErrorReason
  cause?: unknown
}

/** The one error class of the product. Everything thrown across a folder's border is one of these. */
export class SikuError extends Error {
  readonly code: ErrorCode
  readonly hint: string | undefined
  readonly retryable: boolean
  readonly status: number | undefined
  readonly retryAfterMs: number | undefined
  readonly reason: ErrorReason | undefined

  constructor(code: ErrorCode, message: string, options: SikuErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'SikuError'
    this.code = code
    this.hint = options.hint
    this.retryable = options.retryable ?? false
    this.status = options.status
    this.retryAfterMs = options.retryAfterMs
    this.reason = options.reason
  }

  toValue(): ErrorValue {
    return {
      code: this.code,
      message: this.message,
      retryable: this.retryable,
      ...(this.hint === undefined ? {} : { hint: this.hint }),
      ...(this.status === undefined ? {} : { status: this.status }),
      ...(this.retryAfterMs === undefined ? {} : { retryAfterMs: this.retryAfterMs }),
      ...(this.reason === undefined ? {} : { reason: this.reason }),
    }
  }

  static fromValue(value: ErrorValue): SikuError {
    return new SikuError(value.code, value.message, value)
  }
}

/** An error of the closed list, with the English words of its reason. */
export function failure(
  reason: ErrorReasonCode,
  data: ErrorReason['data'] = {},
  options: Omit<SikuErrorOptions, 'reason'> = {},
): SikuError {
  const { message, hint } = reasonText({ code: reason, data }, 'en')
  return new SikuError(codeOfReason(reason), message, {
    ...(hint === undefined ? {} : { hint }),
    ...options,
    reason: { code: reason, data },
  })
}

/** Its words in a language; null in Chinese where only the English message is there. */
export function problemText(
  { message, hint, reason }: Pick<ErrorValue, 'message' | 'hint' | 'reason'>,
  language: string,
): { message: string; hint?: string } | null {
  if (language === 'zh') return reason === undefined ? null : reasonText(reason, 'zh')
  return { message, ...(hint === undefined ? {} : { hint }) }
}

/** Cancellation is its own kind: it is never shown as a failure. */
export function cancelled(cause?: unknown): SikuError {
  return new SikuError('cancelled', 'cancelled', { cause })
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError'
}

interface FileFault {
  code: ErrorCode
  /** `what`: the path, or "it" where the system names none. */
  says: (what: string) => string
  hint?: string
}

/** What the system's error codes mean to a person. */
const fileFaults: Record<string, FileFault> = {
  ENOENT: { code: 'not-found', says: (what) => `There is no such file or folder: ${what}` },
  ENOTDIR: { code: 'not-found', says: (what) => `There is no such file or folder: ${what} (a part of its path is a file)` },
  EACCES: { code: 'no-permission', says: (what) => `This user may not read or write ${what}` },
  EPERM: { code: 'no-permission', says: (what) => `This user may not do that with ${what}` },
  EROFS: { code: 'read-only', says: (what) => `Nothing can be written there, it is for reading only: ${what}` },
  ENOSPC: { code: 'disk-full', says: (what) => `The disk is full: ${what}`, hint: 'Free some space and try again.' },
  EDQUOT: { code: 'disk-full', says: (what) => `The space for this user is used up: ${what}`, hint: 'Free some space and try again.' },
  EISDIR: { code: 'bad-input', says: (what) => `This is a folder, and a file is wanted: ${what}` },
  EEXIST: { code: 'conflict', says: (what) => `It is there already: ${what}` },
  ENOTEMPTY: { code: 'conflict', says: (what) => `This folder is not empty: ${what}` },
  ELOOP: { code: 'bad-input', says: (what) => `Its links lead round in a circle: ${what}` },
  ENAMETOOLONG: { code: 'bad-input', says: (what) => `The name is too long: ${what}` },
  EBUSY: { code: 'busy', says: (what) => `Another program is using ${what}` },
  ETXTBSY: { code: 'busy', says: (what) => `Another program is using ${what}` },
  EMFILE: { code: 'busy', says: (what) => `Too many files are open: ${what}` },
  EIO: { code: 'internal', says: (what) => `The disk could not read or write ${what}` },
}

/** Node's file errors name what they are about beside their message. */
function subjectOf(error: Error): string {
  const { path, dest } = error as { path?: unknown; dest?: unknown }
  return [path, dest].filter((each) => typeof each === 'string' && each !== '').join(' → ')
}

/** Any thrown thing as a SikuError: file-system and abort errors keep their meaning and say it in a sentence, the rest is `internal`. */
export function toSikuError(error: unknown): SikuError {
  if (error instanceof SikuError) return error
  if (isAbort(error)) return cancelled(error)
  if (error instanceof z.core.$ZodError) return new SikuError('internal', z.prettifyError(error), { cause: error })
  if (!(error instanceof Error)) return new SikuError('internal', String(error), { cause: error })
  const errno = 'code' in error ? String(error.code) : ''
  const fault = Object.hasOwn(fileFaults, errno) ? fileFaults[errno] : undefined
  if (fault === undefined) return new SikuError('internal', error.message, { cause: error })
  const subject = subjectOf(error)
  // Without a subject the system's own words, less its code, say at least what was being done.
  const message = fault.says(subject === '' ? withoutCode(error.message, errno) : subject)
  return new SikuError(fault.code, message, { cause: error, ...(fault.hint === undefined ? {} : { hint: fault.hint }) })
}

function withoutCode(message: string, errno: string): string {
  return message.startsWith(`${errno}: `) ? message.slice(errno.length + 2) : message
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
