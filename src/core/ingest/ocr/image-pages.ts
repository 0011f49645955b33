import { readBitmap } from './bitmap.ts'
import { mostPixels, pageFailed, type OpenedPages, type PagePixels } from './pages.ts'

/** An image may unpack to so much: a page scanned at 600 dpi in A3 has 70 million. */
const unpackedPixels = 120_000_000

const tooLarge = () => pageFailed('too-large', 'The picture has too many pixels to be read.')

export async function openImagePages(bytes: Buffer): Promise<OpenedPages> {
  if (bytes.toString('latin1', 0, 2) === 'BM')
    return { kind: 'ok', pages: { pixels: async () => bitmapPixels(bytes), close: () => undefined } }
  return { kind: 'ok', pages: { pixels: (page) => decode(bytes, page), close: () => undefined } }
}

function bitmapPixels(bytes: Buffer): PagePixels {
  const read = readBitmap(bytes, mostPixels * 2)
  if (read.kind === 'ok') return read
  if (read.kind === 'too-large') return tooLarge()
  if (read.kind === 'unsupported') return pageFailed('unsupported-kind', 'Bitmaps packed in this way are not read: save it as PNG.')
  return pageFailed('damaged', 'The picture is damaged.')
}

async function decode(bytes: Buffer, page: number): Promise<PagePixels> {
  const sharp = (await import('sharp')).default
  sharp.cache(false)
  sharp.concurrency(1)
  try {
    // What a cut file still has is shown; the rest is grey.
    const source = sharp(bytes, { page: page - 1, limitInputPixels: unpackedPixels, failOn: 'none' })
    const { width = 0, height = 0 } = await source.metadata()
    if (width * height > unpackedPixels) return tooLarge()
    const share = Math.min(1, Math.sqrt(mostPixels / (width * height)))
    let picture = source.rotate().flatten({ background: '#ffffff' })
    if (share < 1) {
      const side = Math.floor(Math.max(width, height) * share)
      picture = picture.resize(side, side, { fit: 'inside', withoutEnlargement: true })
    }
    const { data, info } = await picture.toColourspace('srgb').removeAlpha().raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true })
    const three = info.channels === 3 ? data : widened(data, info.channels)
    return { kind: 'ok', pixels: { width: info.width, height: info.height, channels: 3, data: three } }
  } catch (error) {
    if (error instanceof Error && /pixel limit/i.test(error.message)) return tooLarge()
    return pageFailed('damaged', 'The picture is damaged and cannot be shown.')
  }
}

/** Grey (with or without a further channel) as colour. */
function widened(data: Uint8Array, channels: number): Uint8Array {
  const count = data.length / channels
  const three = new Uint8Array(count * 3)
  for (let index = 0; index < count; index += 1) three.fill(data[index * channels]!, index * 3, index * 3 + 3)
  return three
}
