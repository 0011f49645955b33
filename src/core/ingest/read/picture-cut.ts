const pngHead = 8
const chunkFrame = 12

/** Whether a PNG or JPEG ends before its end, as after a broken download; other formats are not looked into. */
export function isCut(bytes: Buffer): boolean {
  if (bytes.toString('latin1', 1, 4) === 'PNG') return !pngEnds(bytes)
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return !jpegEnds(bytes)
  return false
}

/** Chunks: a length, a type, that many bytes and a checksum (ISO/IEC 15948, 5.3). */
function pngEnds(bytes: Buffer): boolean {
  for (let at = pngHead; at + chunkFrame <= bytes.length; at += bytes.readUInt32BE(at) + chunkFrame)
    if (bytes.toString('latin1', at + 4, at + 8) === 'IEND') return true
  return false
}

/** Segments with their length, and behind the start of a scan coded data up to the next marker (ITU-T T.81, B.1). */
function jpegEnds(bytes: Buffer): boolean {
  let at = 2
  while (at + 1 < bytes.length) {
    const marker = bytes[at] === 0xff ? bytes[at + 1]! : 0
    // Coded data has zeros behind this byte, or the marks of a restart; before a marker it may stand several times.
    if (marker === 0 || marker === 0xff || marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)) {
      const next = bytes.indexOf(0xff, at + 1)
      if (next === -1) return false
      at = next
    } else if (marker === 0xd9) return true
    else {
      if (at + 4 > bytes.length) return false
      at += 2 + bytes.readUInt16BE(at + 2)
    }
  }
  return false
}
