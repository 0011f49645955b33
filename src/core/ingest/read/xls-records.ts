/** Records of [MS-XLS]: two bytes of type, two of length, then so many bytes. */
const types = { end: 0x0a, sheet: 0x85, begin: 0x809 }
const longestRecord = 8224
/** How the records of a workbook of Excel 97 to 2003 begin. */
const workbookStart = Buffer.from([0x09, 0x08, 0x10, 0x00, 0x00, 0x06, 0x05, 0x00])

export interface XlsRecords {
  /** Up to the damage, with everything that is open closed. */
  stream: Buffer
  damaged: boolean
}

/** The records of a workbook's stream, as far as they are records. */
export function wholeRecords(stream: Buffer): XlsRecords {
  let at = 0
  let depth = 0
  /** Streams of records that are still to come: of the workbook itself, and of each sheet that it lists. */
  let left = 1
  while (at + 4 <= stream.length && left > 0) {
    const type = stream.readUInt16LE(at)
    const length = stream.readUInt16LE(at + 2)
    if (type === 0 || length > longestRecord || at + 4 + length > stream.length) break
    if (type === types.begin) depth += 1
    else if (depth === 0) break
    else if (type === types.end) depth -= 1
    else if (type === types.sheet) left += 1
    if (type === types.end && depth === 0) left -= 1
    at += 4 + length
  }
  if (left === 0) return { stream, damaged: false }
  const end = Buffer.from([types.end, 0, 0, 0])
  return { stream: Buffer.concat([stream.subarray(0, at), ...Array<Buffer>(depth).fill(end)]), damaged: true }
}

/** The records of a file whose directory is lost: they mostly stand in one piece. Null: there are none. */
export function lostRecords(file: Buffer): XlsRecords | null {
  const at = file.indexOf(workbookStart)
  return at === -1 ? null : { ...wholeRecords(file.subarray(at)), damaged: true }
}
