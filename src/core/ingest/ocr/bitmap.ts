import type { Pixels } from './pixels.ts'

export type BitmapRead = { kind: 'ok'; pixels: Pixels } | { kind: 'unsupported' | 'damaged' | 'too-large' }

const coreHeaderBytes = 12

/**
 * A Windows bitmap (BITMAPCOREHEADER, BITMAPINFOHEADER and later): uncompressed, 24 or 32 bits a pixel, or a palette of 1, 4 or
 * 8 bits. Rows are padded to four bytes and, unless the height is negative, begin at the bottom.
 */
export function readBitmap(bytes: Buffer, mostPixels: number): BitmapRead {
  if (bytes.length < 26 || bytes.toString('latin1', 0, 2) !== 'BM') return { kind: 'damaged' }
  const dataAt = bytes.readUInt32LE(10)
  const headerBytes = bytes.readUInt32LE(14)
  const isCore = headerBytes === coreHeaderBytes
  if ((!isCore && headerBytes < 40) || bytes.length < 14 + headerBytes) return { kind: 'damaged' }
  const width = isCore ? bytes.readUInt16LE(18) : bytes.readInt32LE(18)
  const signedHeight = isCore ? bytes.readUInt16LE(20) : bytes.readInt32LE(22)
  const height = Math.abs(signedHeight)
  const bits = bytes.readUInt16LE(isCore ? 24 : 28)
  const compression = isCore ? 0 : bytes.readUInt32LE(30)
  if (width <= 0 || height === 0) return { kind: 'damaged' }
  // 3: masks, which are those of every common writer when there are 32 bits.
  if (!(compression === 0 || (compression === 3 && bits === 32)) || ![1, 4, 8, 24, 32].includes(bits)) return { kind: 'unsupported' }
  if (width * height > mostPixels) return { kind: 'too-large' }
  const rowBytes = Math.ceil((width * bits) / 32) * 4
  if (dataAt + rowBytes * height > bytes.length) return { kind: 'damaged' }
  const palette = bits <= 8 ? paletteOf(bytes, headerBytes, dataAt, isCore ? 3 : 4) : null
  const data = new Uint8Array(width * height * 3)
  for (let y = 0; y < height; y += 1) {
    const row = dataAt + (signedHeight < 0 ? y : height - 1 - y) * rowBytes
    for (let x = 0; x < width; x += 1) {
      const target = (y * width + x) * 3
      let source = row + (x * bits) / 8
      let from: Buffer = bytes
      if (palette !== null) {
        const byte = bytes[row + ((x * bits) >> 3)]!
        const shift = 8 - bits - ((x * bits) & 7)
        source = ((byte >> shift) & ((1 << bits) - 1)) * 3
        from = palette
      }
      data[target] = from[source + 2] ?? 0
      data[target + 1] = from[source + 1] ?? 0
      data[target + 2] = from[source] ?? 0
    }
  }
  return { kind: 'ok', pixels: { width, height, channels: 3, data } }
}

/** Blue, green and red of each colour. */
function paletteOf(bytes: Buffer, headerBytes: number, dataAt: number, entryBytes: number): Buffer {
  const colours = Math.min(256, Math.floor((dataAt - 14 - headerBytes) / entryBytes))
  const palette = Buffer.alloc(Math.max(0, colours) * 3)
  for (let colour = 0; colour < colours; colour += 1)
    bytes.copy(palette, colour * 3, 14 + headerBytes + colour * entryBytes, 17 + headerBytes + colour * entryBytes)
  return palette
}
