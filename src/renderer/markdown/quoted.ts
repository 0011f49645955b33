/** Code that an extract fences, else one line; the sign of an item of a list is the answer's own. */
const parts = /^```[^\n]*\n[\s\S]*?(?:^```[ \t]*$|(?![\s\S]))|^(- )?(.*)$/gm

/** Text that is quoted word for word, as Markdown that shows it so: each sign of it is only that, also what else were a link or code. */
export function escapeQuoted(text: string): string {
  return text.replace(parts, (whole: string, item: string | undefined, line: string | undefined) =>
    line === undefined ? whole : `${item ?? ''}${line.trim().replace(/[!-/:-@[-`{-~]/g, '\\$&')}`,
  )
}
