import type { DocumentKind } from '../../../contract/library.ts'
import { looksWide } from './decode.ts'
import { formatOf, kindOfFormat, type Peek } from './format.ts'

/** As many first bytes as `kindOf` looks at. */
const sniffBytes = 4096

const markdown = new Set(['md', 'markdown', 'mdx', 'mkd', 'mdown'])
const html = new Set(['html', 'htm', 'xhtml', 'xht', 'mht', 'mhtml', 'xml', 'rss', 'atom', 'plist'])
const prose = new Set('txt text log tex bib rst adoc asciidoc org textile srt vtt ass lrc nfo diff patch po pot ics vcf wiki'.split(' '))
const code = new Set(
  (
    'js mjs cjs jsx ts mts cts tsx py pyi pyw java kt kts groovy gradle scala sc clj cljs cljc edn c h cc cpp cxx hh hpp hxx ino m mm cs fs fsx vb ' +
    'go rs swift rb rake gemspec php phtml pl pm t lua r rmd jl dart zig nim d pas pp f f90 f95 for ada adb ads hs lhs ml mli elm erl hrl ex exs lisp el scm rkt ' +
    'sh bash zsh fish ps1 psm1 bat cmd awk sed vim sql psql graphql gql proto thrift avdl cue tf tfvars hcl nix dhall ' +
    'ini cfg conf properties env editorconfig xsd xsl xslt svg wsdl css scss sass less styl vue svelte astro hbs mustache ejs ' +
    'pug erb haml jinja j2 twig liquid cmake mk mak ninja bzl bazel sol move v sv svh vhd vhdl asm s wat glsl vert frag hlsl wgsl metal cu cuh cl sv lock http rest'
  ).split(' '),
)
const families = new Map<DocumentKind, Set<string>>([
  ['word', new Set(['docx', 'docm', 'dotx', 'doc', 'wps', 'odt', 'ott', 'rtf'])],
  ['sheet', new Set(['xlsx', 'xlsm', 'xlsb', 'xls', 'et', 'ods', 'csv', 'tsv', 'tab'])],
  ['slides', new Set(['pptx', 'pptm', 'ppsx', 'ppt', 'dps', 'odp'])],
  ['epub', new Set(['epub'])],
  ['data', new Set(['json', 'json5', 'jsonc', 'jsonl', 'ndjson', 'geojson', 'yaml', 'yml', 'toml', 'ipynb'])],
  ['mail', new Set(['eml', 'mbox', 'mbx'])],
  ['image', new Set(['png', 'jpg', 'jpeg', 'gif', 'webp', 'tif', 'tiff', 'bmp', 'heic', 'heif'])],
  ['sound', new Set(['wav', 'mp3', 'm4a', 'm4b', 'ogg', 'oga', 'opus', 'flac', 'webm', 'weba'])],
  ['archive', new Set(['zip', 'gz', 'tgz', 'bz2', 'xz', '7z', 'rar', 'tar', 'zst'])],
])
const codeNames =
  /^(makefile|gnumakefile|dockerfile|containerfile|jenkinsfile|vagrantfile|rakefile|gemfile|procfile|brewfile|justfile|cmakelists\.txt|build|workspace|\.(git(ignore|attributes|modules)|npmrc|editorconfig|bashrc|zshrc|profile|env.*|.*rc))$/i
/** Source that often begins like a web page. */
const templated = /^(php|phtml|vue|svelte|astro|jsx|tsx|erb|ejs|hbs|mustache|jinja|j2|twig|liquid|md|markdown|mdx)$/

/** Binary formats that nobody here reads. */
const magics: [number, string][] = [
  [0, '8BPS'],
  [0, '\x7fELF'],
  [0, 'MZ\x90'],
  [0, '\xca\xfe\xba\xbe'],
  [0, '\xcf\xfa\xed\xfe'],
  [0, '\0asm'],
  [0, 'SQLite format 3\0'],
  [0, 'RIFF'],
  [0, 'ID3'],
  [0, 'OggS'],
  [0, 'fLaC'],
  [0, '\x1aE\xdf\xa3'],
  [0, 'AT&TFORM'],
  [0, 'wOFF'],
  [0, 'wOF2'],
  [0, '%!PS-Adobe'],
  [4, 'ftyp'],
]

export function nameOf(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
}

function endingOf(name: string): string {
  const dot = name.lastIndexOf('.')
  return dot > 0 ? name.slice(dot + 1).toLowerCase() : ''
}

function hasTextMark(bytes: Uint8Array): boolean {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return true
  const wide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)
  // FF FE 00 00 is UTF-32, which nobody here reads.
  return wide && !(bytes[0] === 0xff && bytes[2] === 0 && bytes[3] === 0)
}

function looksBinary(bytes: Uint8Array): boolean {
  let controls = 0
  for (const byte of bytes) {
    if (byte === 0) return true
    if (byte < 32 && byte !== 9 && byte !== 10 && byte !== 12 && byte !== 13 && byte !== 27) controls += 1
  }
  return controls > Math.max(2, bytes.length * 0.05)
}

/** Text with NULs in it: a few, or blocks of them, which a disk leaves where nothing was written any more. */
function isTextWithNulls(bytes: Buffer, peek: Peek): boolean {
  if (!bytes.includes(0)) return false
  const sample = bytes.every((byte) => byte === 0) ? peek.at(Math.max(0, peek.sizeBytes - sniffBytes), sniffBytes) : bytes
  const text = sample.filter((byte) => byte !== 0)
  const single = sample.toString('latin1').match(/(?<!\0)\0(?!\0)/g)?.length ?? 0
  return text.length > 0 && single <= text.length / 20 && !looksBinary(text) && readsAsText(text)
}

/** Text for certain, in an encoding that has rules; the last character may be cut. */
function readsAsText(bytes: Uint8Array): boolean {
  return ['utf-8', 'gb18030'].some((encoding) => {
    try {
      return !/[\uE000-\uF8FF]/.test(new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: true }))
    } catch {
      return false
    }
  })
}

function byEnding(name: string): DocumentKind | null {
  const ending = endingOf(name)
  if (ending === 'pdf') return 'pdf'
  if (markdown.has(ending)) return 'markdown'
  if (html.has(ending)) return 'html'
  const listed = [...families].find(([, endings]) => endings.has(ending))
  if (listed !== undefined) return listed[0]
  if (codeNames.test(name) || code.has(ending)) return 'code'
  if (prose.has(ending)) return 'text'
  return null
}

/** Kinds whose files are text: their name alone tells them from other text. */
const textual = new Set<DocumentKind>(['markdown', 'html', 'code', 'text', 'sheet', 'data', 'mail'])
const packedEnding = /^(docx|docm|dotx|odt|ott|doc|xlsx|xlsm|xls|ods|pptx|pptm|ppsx|ppt|odp|epub)$/

const webPage = /^\uFEFF?\s*(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]*?-->\s*)*(?:<!doctype\s+html|<html[\s>])/i

/** The kind of a document: by content first, by its name's ending second. Without a look at its bytes only the name speaks. */
export function kindOf(path: string, peek?: Peek): DocumentKind {
  const name = nameOf(path)
  const named = byEnding(name)
  if (peek === undefined) return named ?? 'unknown'
  const bytes = peek.at(0, sniffBytes)
  if (bytes.length === 0) return named ?? 'text'
  const head = bytes.toString('latin1')
  const pdfAt = head.slice(0, 1024).search(/%PDF-\d/)
  if (pdfAt === 0 || (pdfAt > 0 && (named === 'pdf' || named === null || looksBinary(bytes)))) return 'pdf'
  const format = formatOf(peek)
  // A part of a packed document that is not there any more leaves a plain archive: it is a damaged document, not an archive.
  if (format === 'zip' && named !== null && packedEnding.test(endingOf(name))) return named
  // What is locked does not say what it is.
  if (format === 'office' && (named === 'sheet' || named === 'slides')) return named
  if (format !== null) return kindOfFormat[format]
  for (const [at, magic] of magics) if (head.startsWith(magic, at)) return 'unknown'
  const marked = hasTextMark(bytes)
  const unmarked = marked || !looksBinary(bytes) ? null : looksWide(bytes)
  if (
    !marked &&
    unmarked === null &&
    named !== null &&
    textual.has(named) &&
    !packedEnding.test(endingOf(name)) &&
    isTextWithNulls(bytes, peek)
  )
    return named
  // Bytes that are no text under the name of a document are a damaged one.
  if (!marked && unmarked === null && looksBinary(bytes))
    return named !== null && (!textual.has(named) || packedEnding.test(endingOf(name))) ? named : 'unknown'
  const wide = marked && bytes[0] !== 0xef
  const text = unmarked !== null ? head.replaceAll('\0', '') : wide ? head.replaceAll('\0', '').slice(2) : marked ? head.slice(3) : head
  if (isMhtml(text)) return 'html'
  if (webPage.test(text) && !templated.test(endingOf(name))) return 'html'
  if (named === 'pdf') return marked || readsAsText(bytes) ? 'text' : 'pdf'
  if (named === null || !textual.has(named)) return isMail(text) ? 'mail' : 'text'
  return named
}

function isMhtml(text: string): boolean {
  return (
    /^(?:[\w-]+:.*\r?\n(?:[ \t].*\r?\n)*){0,30}?content-type:\s*multipart\/related/i.test(text) &&
    /^mime-version:/im.test(text) &&
    !/^(?:to|delivered-to|received):/im.test(text)
  )
}

function isMail(text: string): boolean {
  return (
    /^(?:from |(?:return-path|received|delivered-to|from|message-id):)/i.test(text) &&
    /^(?:from|date):.+$/im.test(text) &&
    /^(?:subject|to|message-id):.+$/im.test(text)
  )
}
