import { ORPCError } from '@orpc/server'
import { toSikuError } from '../contract/errors.ts'
import { issueText } from '../contract/issue-text.ts'

/** What a caller is told: a coded error, whatever was thrown. */
export function toCallError(error: unknown): ORPCError<string, unknown> {
  if (error instanceof ORPCError) {
    if (error.code === 'BAD_REQUEST') {
      return new ORPCError('bad-input', { message: describeIssues(error), data: { retryable: false }, defined: true })
    }
    if (error.code !== 'INTERNAL_SERVER_ERROR') return error
  }
  const { code, message, ...data } = toSikuError(error).toValue()
  return new ORPCError(code, { message, data, defined: true, cause: error })
}

function describeIssues(error: ORPCError<string, unknown>): string {
  const data = error.data as { issues?: Parameters<typeof issueText>[0][] } | undefined
  const issues = data?.issues ?? []
  return issues.length === 0 ? error.message : issues.map(issueText).join('; ')
}

/** A stream whose failure arrives as a coded error, and whose end of interest only ends the stream. */
export async function* coded<T>(source: AsyncIterable<T>): AsyncGenerator<T, void> {
  try {
    yield* source
  } catch (error) {
    throw toCallError(error)
  }
}
