import { createHighlighterCore, type HighlighterCore, type LanguageRegistration, type ThemeRegistrationRaw } from 'shiki/core'
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript'

export type CodeLine = { text: string; color: string | undefined }[]

const loaders: Record<string, () => Promise<{ default: LanguageRegistration[] }>> = {
  bash: () => import('shiki/langs/bash.mjs'),
  c: () => import('shiki/langs/c.mjs'),
  cpp: () => import('shiki/langs/cpp.mjs'),
  css: () => import('shiki/langs/css.mjs'),
  go: () => import('shiki/langs/go.mjs'),
  html: () => import('shiki/langs/html.mjs'),
  java: () => import('shiki/langs/java.mjs'),
  javascript: () => import('shiki/langs/javascript.mjs'),
  json: () => import('shiki/langs/json.mjs'),
  python: () => import('shiki/langs/python.mjs'),
  rust: () => import('shiki/langs/rust.mjs'),
  sql: () => import('shiki/langs/sql.mjs'),
  toml: () => import('shiki/langs/toml.mjs'),
  tsx: () => import('shiki/langs/tsx.mjs'),
  typescript: () => import('shiki/langs/typescript.mjs'),
  yaml: () => import('shiki/langs/yaml.mjs'),
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
