import sharp from 'sharp'

/** Small enough to keep hundreds in the repository, good enough to read in. */
export function packPicture(png: Buffer): Promise<Buffer> {
  return sharp(png).resize({ width: 1024, withoutEnlargement: true }).webp({ quality: 40, effort: 6 }).toBuffer()
}

const size = { width: 320, height: 200 }
/** Parts of the picture of so many pixels of the small one on each side. */
const part = 20

async function smallOf(picture: Buffer): Promise<Buffer> {
  return sharp(picture)
    .resize({ ...size, fit: 'fill' })
    .removeAlpha()
    .raw()
    .toBuffer()
}

/**
 * How much two packed pictures differ where they differ most, 0 to 255: the mean of each part of both, made small, so that what two
 * drawings of the same letters have in different pixels is nothing, and a word or a line elsewhere is seen.
 */
export async function pictureDifference(one: Buffer, other: Buffer): Promise<number> {
  const [first, second] = await Promise.all([smallOf(one), smallOf(other)])
  let most = 0
  for (let top = 0; top < size.height; top += part) {
    for (let left = 0; left < size.width; left += part) {
      let sum = 0
      for (let y = top; y < top + part; y += 1) {
        const from = (y * size.width + left) * 3
        for (let at = from; at < from + part * 3; at += 1) sum += Math.abs((first[at] ?? 0) - (second[at] ?? 0))
      }
      most = Math.max(most, sum / (part * part * 3))
    }
  }
  return most
}

/** From here on a person would see it. */
export const visibleDifference = 1.5

/** Both beside each other, for looking at. */
export async function beside(one: Buffer, other: Buffer): Promise<Buffer> {
  const left = await sharp(one).png().toBuffer()
  const { width = 0, height = 0 } = await sharp(left).metadata()
  const right = await sharp(other).resize({ width, height, fit: 'fill' }).png().toBuffer()
  return sharp({ create: { width: width * 2 + 8, height, channels: 3, background: '#c0262d' } })
    .composite([
      { input: left, left: 0, top: 0 },
      { input: right, left: width + 8, top: 0 },
    ])
    .webp({ quality: 70 })
    .toBuffer()
}
