/** Gives text to the browser to be saved as a file. */
export function saveText(fileName: string, text: string, mediaType: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: `${mediaType};charset=utf-8` }))
  const anchor = document.createElement('a')
  anchor.href = address
  anchor.download = fileName
  anchor.click()
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
