const endMark = 'startxref'
const objectMark = ' obj'
const overlap = 32

/**
 * Whether the end of a document is missing: it says where its parts are, and no part stands behind it. A document that is
 * changed or made for the web has such an end more than once.
 */
export function isCutOff(chunks: Iterable<Buffer>): boolean {
  let position = 0
  let end = -1
  let object = -1
  let before: Buffer = Buffer.alloc(0)
  for (const chunk of chunks) {
    const part = before.length === 0 ? chunk : Buffer.concat([before, chunk])
    const from = position - before.length
    const [lastEnd, lastObject] = [part.lastIndexOf(endMark), lastObjectIn(part)]
    if (lastEnd !== -1) end = from + lastEnd
    if (lastObject !== -1) object = from + lastObject
    position += chunk.length
    // A copy: the chunks are written over.
    before = Buffer.from(part.subarray(Math.max(0, part.length - overlap)))
  }
  return end === -1 || object > end
}

/** `12 0 obj`; the word alone may stand in what somebody appended. */
function lastObjectIn(part: Buffer): number {
  for (let at = part.lastIndexOf(objectMark); at > 0; at = part.lastIndexOf(objectMark, at - 1))
    if (/\d \d{1,5}$/.test(part.toString('latin1', Math.max(0, at - 8), at))) return at
  return -1
}
