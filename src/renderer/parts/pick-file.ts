/** Lets the user choose one file; nothing happens when none is chosen. */
export function pickFile(accept: string, take: (file: File) => unknown): void {
  const input = document.createElement('input')
  input.type = 'file'
  input.accept = accept
  input.addEventListener('change', () => {
    const [file] = input.files ?? []
    if (file !== undefined) take(file)
  })
  input.click()
}
