/** One message of a mailbox; larger ones are cut there. */
export const mostMessageBytes = 64 << 20
const longestSeparator = 300

/** A line that begins a message: an address and a date with its time. A sentence may begin with the word as well. */
function isSeparator(line: string): boolean {
  return /^From \S+.*\d:\d\d.*\d{4}/.test(line)
}

/** Messages of an mbox, by the lines that part them. */
export function* mailboxMessages(chunks: Iterable<Buffer>): Generator<Buffer> {
  let held: Buffer[] = []
  let size = 0
  let rest = Buffer.alloc(0)

  function* take(data: Buffer, isLast: boolean): Generator<Buffer> {
    let from = 0
    // What may be the beginning of a separator waits for the rest of its line.
    const end = isLast ? data.length : Math.max(0, data.length - longestSeparator)
    for (let at = data.indexOf('\nFrom '); at !== -1 && at < end; at = data.indexOf('\nFrom ', at + 1)) {
      const line = data.subarray(at + 1, at + longestSeparator).toString('latin1')
      if (!isSeparator(line.split('\n')[0] ?? '')) continue
      held.push(Buffer.from(data.subarray(from, at + 1)))
      yield message(held)
      held = []
      size = 0
      from = at + 1
    }
    const to = Math.max(from, end)
    if (size < mostMessageBytes) held.push(Buffer.from(data.subarray(from, to)))
    size += to - from
    rest = Buffer.from(data.subarray(to))
  }

  for (const chunk of chunks) yield* take(rest.length === 0 ? chunk : Buffer.concat([rest, chunk]), false)
  yield* take(rest, true)
  if (held.some((part) => part.length > 0)) yield message(held)
}

function message(parts: Buffer[]): Buffer {
  const whole = Buffer.concat(parts)
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
