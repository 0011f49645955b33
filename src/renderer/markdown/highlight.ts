import { createHighlighterCore, type HighlighterCore, type LanguageRegistration, type ThemeRegistrationRaw } from 'shiki/core'
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript'

export type CodeLine = { text: string; color: string | undefined }[]

const loaders: Record<string, () => Promise<{ default: LanguageRegistration[] }>> = {
  bash: () => import('@shikijs/langs/bash'),
  c: () => import('@shikijs/langs/c'),
  cpp: () => import('@shikijs/langs/cpp'),
  css: () => import('@shikijs/langs/css'),
  go: () => import('@shikijs/langs/go'),
  html: () => import('@shikijs/langs/html'),
  java: () => import('@shikijs/langs/java'),
  javascript: () => import('@shikijs/langs/javascript'),
  json: () => import('@shikijs/langs/json'),
  python: () => import('@shikijs/langs/python'),
  rust: () => import('@shikijs/langs/rust'),
  sql: () => import('@shikijs/langs/sql'),
  toml: () => import('@shikijs/langs/toml'),
  tsx: () => import('@shikijs/langs/tsx'),
  typescript: () => import('@shikijs/langs/typescript'),
  yaml: () => import('@shikijs/langs/yaml'),
}
const otherNames: Record<string, string> = {
  sh: 'bash',
  shell: 'bash',
  zsh: 'bash',
  h: 'c',
  cc: 'cpp',
  hpp: 'cpp',
  'c++': 'cpp',
  htm: 'html',
  xml: 'html',
  js: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  jsx: 'tsx',
  py: 'python',
  rs: 'rust',
  ts: 'typescript',
  mts: 'typescript',
  cts: 'typescript',
  yml: 'yaml',
}

/** Colours by the palette's variables, so that code follows the theme without being coloured again. */
const theme: ThemeRegistrationRaw = {
  name: 'siku',
  type: 'light',
  colors: { 'editor.foreground': 'var(--ink)', 'editor.background': 'transparent' },
  settings: [
    { settings: { foreground: 'var(--ink)' } },
    { scope: ['comment', 'punctuation.definition.comment'], settings: { foreground: 'var(--code-comment)' } },
    { scope: ['string', 'string.quoted', 'markup.inline.raw'], settings: { foreground: 'var(--code-string)' } },
    { scope: ['keyword', 'storage', 'keyword.control', 'entity.name.tag'], settings: { foreground: 'var(--code-keyword)' } },
    {
      scope: ['constant.numeric', 'constant.language', 'constant.other', 'variable.language'],
      settings: { foreground: 'var(--code-number)' },
    },
    {
      scope: ['entity.name.function', 'support.function', 'entity.name.type', 'entity.name.class', 'support.type.property-name'],
      settings: { foreground: 'var(--code-function)' },
    },
  ],
}

let highlighter: Promise<HighlighterCore> | null = null

function open(): Promise<HighlighterCore> {
  highlighter ??= createHighlighterCore({ themes: [theme], langs: [], engine: createJavaScriptRegexEngine({ forgiving: true }) })
  return highlighter
}

/** Null for a language that is not at hand: it is shown as it is. */
export async function highlight(code: string, language: string): Promise<CodeLine[] | null> {
  const name = language.toLowerCase()
  const known = otherNames[name] ?? name
  const load = loaders[known]
  if (load === undefined) return null
  const shiki = await open()
  if (!shiki.getLoadedLanguages().includes(known)) await shiki.loadLanguage((await load()).default)
  return shiki
    .codeToTokensBase(code, { lang: known, theme: 'siku' })
    .map((line) => line.map((token) => ({ text: token.content, color: token.color })))
}
