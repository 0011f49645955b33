import type { Section } from '../../contract/library.ts'

export interface Line {
  /** From 1; null where the number of a wrapped section's line is not known. */
  number: number | null
  text: string
}

/** The lines of a document made of its sections. Blank lines between them are put back as one. */
export function linesOfSections(sections: Section[]): Line[] {
  const lines: Line[] = []
  let next = 1
  for (const { place, text } of sections) {
    const parts = text.split('\n')
    const from = place.kind === 'lines' ? place.from : next
    if (lines.length > 0 && (place.kind !== 'lines' || from > next)) lines.push({ number: from > next ? next : null, text: '' })
    const exact = place.kind !== 'lines' || place.to - place.from + 1 === parts.length
    parts.forEach((part, index) => lines.push({ number: exact || index === 0 ? from + index : null, text: part }))
    next = place.kind === 'lines' ? place.to + 1 : from + parts.length
  }
  return lines
}

const languages: Record<string, string> = {
  ts: 'typescript',
  mts: 'typescript',
  cts: 'typescript',
  tsx: 'tsx',
  js: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  jsx: 'tsx',
  py: 'python',
  rs: 'rust',
  go: 'go',
  java: 'java',
  c: 'c',
  h: 'c',
  cpp: 'cpp',
  cc: 'cpp',
  hpp: 'cpp',
  css: 'css',
  html: 'html',
  htm: 'html',
  xml: 'html',
  json: 'json',
  yml: 'yaml',
  yaml: 'yaml',
  toml: 'toml',
  sql: 'sql',
  sh: 'bash',
  bash: 'bash',
}

export function languageOfFile(name: string): string {
  return languages[/\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''] ?? ''
}
