import type { DocumentKind } from '../../../contract/library.ts'

/** As many first bytes as `kindOf` looks at. */
export const sniffBytes = 4096

const markdown = new Set(['md', 'markdown', 'mdx', 'mkd', 'mdown'])
const html = new Set(['html', 'htm', 'xhtml', 'xht'])
const prose = new Set(
  'txt text log csv tsv tab tex bib rst adoc asciidoc org textile srt vtt ass lrc nfo diff patch po pot eml mbox ics vcf wiki'.split(' '),
)
const code = new Set(
  (
    'js mjs cjs jsx ts mts cts tsx py pyi pyw ipynb java kt kts groovy gradle scala sc clj cljs cljc edn c h cc cpp cxx hh hpp hxx ino m mm cs fs fsx vb ' +
    'go rs swift rb rake gemspec php phtml pl pm t lua r rmd jl dart zig nim d pas pp f f90 f95 for ada adb ads hs lhs ml mli elm erl hrl ex exs lisp el scm rkt ' +
    'sh bash zsh fish ps1 psm1 bat cmd awk sed vim sql psql graphql gql proto thrift avdl cue tf tfvars hcl nix dhall json json5 jsonc jsonl ndjson geojson ' +
    'yaml yml toml ini cfg conf properties env editorconfig xml xsd xsl xslt svg plist wsdl rss atom css scss sass less styl vue svelte astro hbs mustache ejs ' +
    'pug erb haml jinja j2 twig liquid cmake mk mak ninja bzl bazel sol move v sv svh vhd vhdl asm s wat glsl vert frag hlsl wgsl metal cu cuh cl sv lock http rest'
  ).split(' '),
)
const codeNames =
  /^(makefile|gnumakefile|dockerfile|containerfile|jenkinsfile|vagrantfile|rakefile|gemfile|procfile|brewfile|justfile|cmakelists\.txt|build|workspace|\.(git(ignore|attributes|modules)|npmrc|editorconfig|bashrc|zshrc|profile|env.*|.*rc))$/i
/** Source that often begins like a web page. */
const templated = /^(php|phtml|vue|svelte|astro|jsx|tsx|erb|ejs|hbs|mustache|jinja|j2|twig|liquid|md|markdown|mdx)$/

const magics: [number, string][] = [
  [0, 'PK\x03\x04'],
  [0, 'PK\x05\x06'],
  [0, 'PK\x07\x08'],
  [0, '\x1f\x8b'],
  [0, 'BZh'],
  [0, '\xfd7zXZ\0'],
  [0, '7z\xbc\xaf\x27\x1c'],
  [0, 'Rar!\x1a\x07'],
  [0, '\x28\xb5\x2f\xfd'],
  [0, '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'],
  [0, '{\\rtf'],
  [0, '\x89PNG'],
  [0, '\xff\xd8\xff'],
  [0, 'GIF87a'],
  [0, 'GIF89a'],
  [0, 'RIFF'],
  [0, 'II*\0'],
  [0, 'MM\0*'],
  [0, '8BPS'],
  [0, '\x7fELF'],
  [0, 'MZ\x90'],
  [0, '\xca\xfe\xba\xbe'],
  [0, '\xcf\xfa\xed\xfe'],
  [0, '\0asm'],
  [0, 'SQLite format 3\0'],
  [0, 'ID3'],
  [0, 'OggS'],
  [0, 'fLaC'],
  [0, 'AT&TFORM'],
  [0, 'wOFF'],
  [0, 'wOF2'],
  [0, '%!PS-Adobe'],
  [4, 'ftyp'],
  [257, 'ustar'],
]

function nameOf(path: string): string {
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
  if (codeNames.test(name) || code.has(ending)) return 'code'
  if (prose.has(ending)) return 'text'
  return null
}

const webPage = /^\uFEFF?\s*(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]*?-->\s*)*(?:<!doctype\s+html|<html[\s>])/i

/** The kind of a document: by content first, by its name's ending second. Without bytes only the name speaks. */
export function kindOf(path: string, firstBytes?: Uint8Array): DocumentKind {
  const name = nameOf(path)
  const named = byEnding(name)
  if (firstBytes === undefined) return named ?? 'unknown'
  const bytes = firstBytes.subarray(0, sniffBytes)
  if (bytes.length === 0) return named ?? 'text'
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  const pdfAt = head.slice(0, 1024).search(/%PDF-\d/)
  if (pdfAt === 0 || (pdfAt > 0 && (named === 'pdf' || named === null || looksBinary(bytes)))) return 'pdf'
  for (const [at, magic] of magics) if (head.startsWith(magic, at)) return 'unknown'
  const marked = hasTextMark(bytes)
  if (!marked && looksBinary(bytes)) return named === 'pdf' ? 'pdf' : 'unknown'
  const wide = marked && bytes[0] !== 0xef
  const text = wide ? head.replaceAll('\0', '').slice(2) : marked ? head.slice(3) : head
  if (webPage.test(text) && !templated.test(endingOf(name))) return 'html'
  // There is no PDF in it, whatever its name says; bytes that are no text either are a damaged one.
  if (named === 'pdf') return marked || readsAsText(bytes) ? 'text' : 'pdf'
  return named ?? 'text'
}
