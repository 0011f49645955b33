/** Stretches that Markdown takes as code: fenced blocks and code spans. */
const code = /(^ {0,3}(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:^ {0,3}\2[`~]*[ \t]*$|(?![\s\S])))|(`+)(?!`)[\s\S]*?[^`]\3(?!`)/gm

/** Within the line of a paragraph. In a table, a list or a quotation a line of its own would break what it stands in. */
const within = /^(?![ \t]*(?:[|>]|[-*+][ \t]|\d{1,9}[.)][ \t])| {4}|\t)(?![ \t]*\$\$[^\n$]+\$\$[ \t]*$).*\$\$[^\n$]+\$\$.*$/gm

/** `$$ $$` is a formula that stands by itself, also where a model wrote on in the same line. */
function apart(line: string): string {
  return line.replace(/[ \t]*\$\$([^\n$]+)\$\$[ \t]*/g, (_whole, body: string) => ['', '$$', body.trim(), '$$', ''].join('\n'))
}

function convert(text: string): string {
  return text
    .replace(within, apart)
    .replace(/\\\[([\s\S]+?)\\\]/g, (_whole, body: string) => ['', '$$', body.trim(), '$$', ''].join('\n'))
    .replace(/\\\(([\s\S]+?)\\\)/g, (_whole, body: string) => ['', body.trim(), ''].join('$$'))
    .replace(/^[ \t]*\$\$([^\n$]+)\$\$[ \t]*$/gm, (_whole, body: string) => ['$$', body.trim(), '$$'].join('\n'))
}

/**
 * Turns `\( \)`, `\[ \]` and a `$$ $$` on a line of its own into the forms that the Markdown parser knows.
 * A single dollar never opens a formula, so a price stays a price.
 */
export function prepareMath(text: string): string {
  if (!text.includes('\\(') && !text.includes('\\[') && !text.includes('$$')) return text
  let result = ''
  let from = 0
  for (const match of text.matchAll(code)) {
    result += convert(text.slice(from, match.index)) + match[0]
    from = match.index + match[0].length
  }
  return result + convert(text.slice(from))
}

export function hasMath(text: string): boolean {
  return text.includes('$$') || text.includes('\\(') || text.includes('\\[')
}
