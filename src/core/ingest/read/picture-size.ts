const mostFrames = 2000
/** Boxes are fractions; the layout wants the page's real shape, in any unit. */
interface Frame {
  width: number
  height: number
}
interface Looked extends Frame {
  frames: number
}

/** How large a picture is as it is shown, and how many frames it has; only its head is read. Null when it has none. */
export async function pictureSize(bytes: Buffer): Promise<Looked | null> {
  if (bytes.toString('latin1', 0, 2) === 'BM') return bitmapSize(bytes.subarray(0, 26))
  const sharp = (await import('sharp')).default
  try {
    const {
      width = 0,
      height = 0,
      pages = 1,
      orientation = 1,
      format,
    } = await sharp(bytes, { failOn: 'none', limitInputPixels: false }).metadata()
    if (width <= 0 || height <= 0) return null
    const turned = orientation >= 5
    const frames = format === 'tiff' ? Math.min(pages, mostFrames) : 1
    return { width: turned ? height : width, height: turned ? width : height, frames }
  } catch {
    return null
  }
}

function bitmapSize(head: Buffer): Looked | null {
  if (head.length < 26) return null
  const isCore = head.readUInt32LE(14) === 12
  const width = isCore ? head.readUInt16LE(18) : head.readInt32LE(18)
  const height = Math.abs(isCore ? head.readUInt16LE(20) : head.readInt32LE(22))
  return width > 0 && height > 0 ? { width, height, frames: 1 } : null
}
