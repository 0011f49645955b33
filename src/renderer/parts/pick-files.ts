/** Lets the user choose files, which are taken one after the other; nothing happens when none is chosen. */
export function pickFiles(accept: string, take: (file: File) => unknown): void {
  const input = document.createElement('input')
  input.type = 'file'
  input.accept = accept
  input.multiple = true
  input.addEventListener('change', () => void takeAll([...(input.files ?? [])], take))
  input.click()
}

async function takeAll(files: File[], take: (file: File) => unknown): Promise<void> {
  for (const file of files) await take(file)
}
