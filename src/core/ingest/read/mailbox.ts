import type { OpenFile } from './file.ts'

/** One message of a mailbox; larger ones are cut there. */
export const mostMessageBytes = 64 << 20
const longestSeparator = 300

/** A line that begins a message: an address and a date with its time. A sentence may begin with the word as well. */
function isSeparator(line: string): boolean {
  return /^From \S+.*\d:\d\d.*\d{4}/.test(line)
}

export function isMailbox(file: OpenFile): boolean {
  return /^From \S/.test(file.first(64).toString('latin1'))
}

export interface MailboxMessage {
  bytes: Buffer
  /** Where it begins and ends in the mailbox; of a longer one, `bytes` has the first `mostMessageBytes`. */
  start: number
  end: number
}

/** Messages of an mbox, by the lines that part them. */
export function* mailboxMessages(chunks: Iterable<Buffer>): Generator<MailboxMessage> {
  let held: Buffer[] = []
  let size = 0
  let rest = Buffer.alloc(0)
  let start = 0

  function hold(part: Buffer): void {
    // A copy: the chunks are written over.
    if (size < mostMessageBytes) held.push(Buffer.from(part.subarray(0, mostMessageBytes - size)))
    size += part.length
  }
  function* end(): Generator<MailboxMessage> {
    if (size > 0) yield { bytes: mailboxMessage(Buffer.concat(held)), start, end: start + size }
    start += size
    held = []
    size = 0
  }

  function* take(data: Buffer, isLast: boolean): Generator<MailboxMessage> {
    let from = 0
    // What may be the beginning of a separator waits for the rest of its line.
    const until = isLast ? data.length : Math.max(0, data.length - longestSeparator)
    for (let at = data.indexOf('\nFrom '); at !== -1 && at < until; at = data.indexOf('\nFrom ', at + 1)) {
      const line = data.subarray(at + 1, at + longestSeparator).toString('latin1')
      if (!isSeparator(line.split('\n')[0] ?? '')) continue
      hold(data.subarray(from, at + 1))
      yield* end()
      from = at + 1
    }
    const to = Math.max(from, until)
    hold(data.subarray(from, to))
    rest = Buffer.from(data.subarray(to))
  }

  for (const chunk of chunks) yield* take(rest.length === 0 ? chunk : Buffer.concat([rest, chunk]), false)
  yield* take(rest, true)
  yield* end()
}

/** A message as it was sent, of its bytes in a mailbox. */
export function mailboxMessage(whole: Buffer): Buffer {
  const firstLine = whole.indexOf('\n')
  return unquoted(/^From \S/.test(whole.subarray(0, 64).toString('latin1')) ? whole.subarray(firstLine + 1) : whole)
}

/** Lines that begin like a separator are kept in a mailbox behind one more `>`. */
function unquoted(whole: Buffer): Buffer {
  const pieces: Buffer[] = []
  let from = 0
  for (let at = whole.indexOf('\n>'); at !== -1; at = whole.indexOf('\n>', at + 1)) {
    let end = at + 1
    while (whole[end] === 0x3e) end += 1
    if (whole.subarray(end, end + 5).toString('latin1') !== 'From ') continue
    pieces.push(whole.subarray(from, at + 1))
    from = at + 2
  }
  return pieces.length === 0 ? whole : Buffer.concat([...pieces, whole.subarray(from)])
}
