import { constants, createInflateRaw } from 'node:zlib'

/** An entry as its own header tells it, where the directory of the archive is lost. */
export interface SavedEntry {
  name: Buffer
  /** Where its packed bytes begin and, at most, end. */
  start: number
  end: number
  deflated: boolean
  encrypted: boolean
}

const signature = Buffer.from('PK\x03\x04', 'latin1')
const headerBytes = 30
const longestName = 1024

/** The entries that stand in these bytes, told by their local headers (APPNOTE 6.3.10, 4.3.7). */
export function savedEntries(data: Buffer, mostEntries: number): SavedEntry[] {
  const found: (SavedEntry & { header: number; sized: boolean })[] = []
  let at = data.indexOf(signature)
  while (at !== -1 && found.length < mostEntries) {
    const entry = entryAt(data, at)
    const next = entry === null ? at + 1 : entry.sized && entry.end <= data.length ? entry.end : entry.start
    if (entry !== null) found.push({ ...entry, header: at })
    at = data.indexOf(signature, next)
  }
  return found.map(({ name, start, end, sized, deflated, encrypted }, index) => {
    const last = found[index + 1]?.header ?? data.length
    return { name, start, end: sized ? Math.min(end, data.length) : last, deflated, encrypted }
  })
}

function entryAt(data: Buffer, at: number): (SavedEntry & { sized: boolean }) | null {
  if (at + headerBytes > data.length) return null
  const flags = data.readUInt16LE(at + 6)
  const method = data.readUInt16LE(at + 8)
  const packedBytes = data.readUInt32LE(at + 18)
  const nameBytes = data.readUInt16LE(at + 26)
  const start = at + headerBytes + nameBytes + data.readUInt16LE(at + 28)
  if ((method !== 0 && method !== 8) || nameBytes === 0 || nameBytes > longestName || start > data.length) return null
  // The sizes may follow the data instead.
  const sized = (flags & 8) === 0 && packedBytes !== 0xffff_ffff
  const name = data.subarray(at + headerBytes, at + headerBytes + nameBytes)
  return { name, start, end: start + packedBytes, sized, deflated: method === 8, encrypted: (flags & 1) !== 0 }
}

const pieceBytes = 1024

/** As much as can be unpacked, up to the first damage. Null: it is more than `mostBytes`. */
export async function unpacked(packed: Buffer, mostBytes: number): Promise<Buffer | null> {
  // In small pieces, each given out at once: what an error takes with it is one of them.
  const stream = createInflateRaw({ flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH })
  const parts: Buffer[] = []
  let size = 0
  stream.on('data', (part: Buffer) => {
    parts.push(part)
    size += part.length
  })
  const over = new Promise<'over'>((resolve) => {
    stream.once('error', () => resolve('over'))
    stream.once('end', () => resolve('over'))
  })
  try {
    for (let at = 0; at < packed.length; at += pieceBytes) {
      const written = new Promise<'written'>((resolve) => stream.write(packed.subarray(at, at + pieceBytes), () => resolve('written')))
      const how = await Promise.race([written, over])
      if (size > mostBytes) return null
      if (how === 'over') return Buffer.concat(parts)
    }
    stream.end()
    await over
    return size > mostBytes ? null : Buffer.concat(parts)
  } finally {
    stream.destroy()
  }
}
