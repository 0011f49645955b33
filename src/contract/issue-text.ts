interface Issue {
  code?: string
  message: string
  path?: readonly (PropertyKey | { key: PropertyKey })[] | undefined
  origin?: string
  minimum?: number | bigint
  maximum?: number | bigint
}

const counts = new Intl.NumberFormat('en-US')

/** What a schema finds wrong with an input, in a person's words where there are some. */
export function issueText(issue: Issue): string {
  const path = (issue.path ?? []).map((part) => String(typeof part === 'object' ? part.key : part))
  const known = boundText(issue, subjectOf(path))
  if (known !== null) return known
  // A whole sentence already.
  if (issue.code === 'custom' && issue.message !== 'Invalid input') return issue.message
  return path.length === 0 ? issue.message : `${path.join('.')}: ${issue.message}`
}

/** `question` is “The question”; deeper down the path is said as it is. */
function subjectOf(path: string[]): string {
  const [name, ...deeper] = path
  if (name === undefined) return 'The input'
  if (deeper.length > 0) return `The value “${path.join('.')}”`
  return `The ${name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}`
}

function boundText({ code, origin, minimum, maximum }: Issue, subject: string): string | null {
  if (code === 'too_big' && maximum !== undefined) {
    if (origin === 'string') return `${subject} is too long: ${counts.format(maximum)} characters at most.`
    if (origin === 'array') return `${subject} takes fewer entries: ${counts.format(maximum)} at most.`
    if (origin === 'number' || origin === 'int') return `${subject} is too large: ${counts.format(maximum)} at most.`
  }
  if (code === 'too_small' && minimum !== undefined) {
    if ((origin === 'string' || origin === 'array') && Number(minimum) === 1) return `${subject} must not be empty.`
    if (origin === 'string') return `${subject} is too short: ${counts.format(minimum)} characters at least.`
    if (origin === 'array') return `${subject} needs more entries: ${counts.format(minimum)} at least.`
    if (origin === 'number' || origin === 'int') return `${subject} is too small: ${counts.format(minimum)} at least.`
  }
  return null
}
