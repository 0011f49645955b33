import { z } from 'zod'

const headSchema = z.object({ format: z.string(), version: z.number() })

/** Whether a file is of this format and of a version that this Siku does not know yet. */
export function isNewerFile(data: unknown, format: string, version: number): boolean {
  const head = headSchema.safeParse(data)
  return head.success && head.data.format === format && head.data.version > version
}

/** Where a file is not as it should be, for the English words of a reason. */
export function formProblem({ issues }: z.ZodError): string {
  const issue = issues[0]
  if (issue === undefined || issue.path.length === 0) return 'it has another form'
  const where = issue.path.slice(0, 8).join('.')
  return issue.code === 'custom' && issue.message !== 'Invalid input'
    ? `${issue.message} (${where})`
    : `something else was expected at ${where}`
}
