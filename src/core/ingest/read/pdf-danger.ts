const pictureFilters = ['/JBIG2Decode', '/JPXDecode', '/DCTDecode', '/CCITTFaxDecode']
/** A stream's entries stand within so many bytes before and after the name of its filter. */
const reachBytes = 2048
/** A file with more of them is not looked through. */
const mostPictures = 50_000

/**
 * Whether text or tables in the file are packed as if they were pictures, which no program does: pdf.js unpacks such a page
 * without a limit (a picture of 100,000 by 100,000 in 40 kB), PDFium does not.
 */
export function hasPictureText(source: Buffer): boolean {
  let looked = 0
  return pictureFilters.some((filter) => {
    for (let at = source.indexOf(filter); at !== -1; at = source.indexOf(filter, at + filter.length)) {
      looked += 1
      if (looked > mostPictures || !isOfPicture(source, at)) return true
    }
    return false
  })
}

function isOfPicture(source: Buffer, at: number): boolean {
  const before = source.subarray(Math.max(0, at - reachBytes), at).toString('latin1')
  const start = before.lastIndexOf(' obj')
  const after = source.subarray(at, at + reachBytes).toString('latin1')
  const end = after.search(/\bstream\b|\bendobj\b/)
  // Within packed bytes the name is chance, and so is what stands round it.
  if (start === -1 || end === -1) return true
  const entries = before.slice(start) + after.slice(0, end)
  return /\/Subtype\s*\/Image\b/.test(entries) || /\/(?:Width|W)\s+\d/.test(entries)
}
