/** What a tool or a file says, marked as data. It cannot end its own fence, nor begin one. */
export function fenced(attributes: Record<string, string>, text: string): string {
  const list = Object.entries(attributes).map(([name, value]) => ` ${name}="${plain(value)}"`)
  return `<data${list.join('')}>\n${withoutFences(text).trim()}\n</data>`
}

export function withoutFences(text: string): string {
  return text.replace(/<(\/?\s*data\b)/gi, '‹$1')
}

function plain(value: string): string {
  return withoutFences(value)
    .replace(/["<>\s]+/g, ' ')
    .trim()
}
