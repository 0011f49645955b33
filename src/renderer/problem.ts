import { ORPCError } from '@orpc/client'
import { errorCodes, errorValueSchema, type ErrorCode, type ErrorValue } from '../contract/errors.ts'

const dataSchema = errorValueSchema.pick({ hint: true, retryable: true, reason: true }).partial()
const known = new Set<string>(errorCodes)

function isCode(code: string): code is ErrorCode {
  return known.has(code)
}

/** Any thrown thing as an error the interface has words for. What is no answer of the core is a broken connection. */
export function problemOf(error: unknown): ErrorValue {
  if (error instanceof ORPCError) {
    const told = dataSchema.safeParse(error.data)
    const data = told.success ? told.data : {}
    const code = isCode(error.code) ? error.code : error.code === 'BAD_REQUEST' ? 'bad-input' : 'internal'
    // The validator's own words say nothing to a person.
    const message = error.code === 'BAD_REQUEST' || error.message === 'Input validation failed' ? '' : error.message
    const { hint, reason, retryable = false } = data
    return { code, message, retryable, ...(hint === undefined ? {} : { hint }), ...(reason === undefined ? {} : { reason }) }
  }
  return { code: 'network', message: error instanceof Error ? error.message : String(error), retryable: true }
}
