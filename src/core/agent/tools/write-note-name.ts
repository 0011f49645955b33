import { withoutUnseen } from '../tool-line.ts'

const longestBytes = 120
/** Names that Windows keeps for devices, with any ending. */
const devices = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?:\.|$)/i

/** A file name from a title that every system takes and that leads nowhere else. `number` parts notes of the same title. */
export function noteFileName(title: string, number: number): string {
  const plain = withoutUnseen(title.normalize('NFC'))
    .replace(/[\\/:*?"<>|⁄∕／＼]/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[\s.~-]+|[\s.]+$/g, '')
  const short = cutToBytes(plain, longestBytes).replace(/[\s.]+$/, '')
  const safe = devices.test(short) ? `_${short}` : short
  return `${safe === '' ? 'Note' : safe}${number === 1 ? '' : ` ${number}`}.md`
}

/** Between two characters as people see them. */
function cutToBytes(text: string, most: number): string {
  let cut = ''
  for (const { segment } of new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text.slice(0, most * 4))) {
    if (Buffer.byteLength(cut + segment, 'utf8') > most) break
    cut += segment
  }
  return cut
}
