import { oneLine } from './web-text.ts'

export interface WebResult {
  title: string
  address: string
  snippet: string
}

type ResultPage = { kind: 'results'; results: WebResult[] } | { kind: 'none' } | { kind: 'blocked' } | { kind: 'unknown' }

const partCharacters = 8_192
const mostDepth = 500

/** The results of DuckDuckGo's page without scripts; or that it asks whether a person is asking, or has none. */
export async function readResultPage(html: string): Promise<ResultPage> {
  if (/anomaly-modal|challenge-form|\/anomaly\.js/.test(html)) return { kind: 'blocked' }
  const { Parser } = await import('htmlparser2')
  const results: WebResult[] = []
  let depth = 0
  let ad = 0
  let hasNone = false
  let current: { part: 'title' | 'snippet'; depth: number } | null = null

  const parser = new Parser({
    onopentag(name, attributes) {
      depth += 1
      const classes = new Set((attributes['class'] ?? '').split(/\s+/))
      if (classes.has('result--ad') && ad === 0) ad = depth
      if (classes.has('no-results') || classes.has('result--no-result')) hasNone = true
      if (ad > 0 || current !== null) return
      if (name === 'a' && classes.has('result__a')) {
        results.push({ title: '', address: targetOf(attributes['href'] ?? '') ?? '', snippet: '' })
        current = { part: 'title', depth }
      } else if (classes.has('result__snippet') && results.length > 0) current = { part: 'snippet', depth }
    },
    onclosetag() {
      if (current?.depth === depth) current = null
      if (ad === depth) ad = 0
      depth -= 1
    },
    ontext(data) {
      const result = results.at(-1)
      if (current !== null && result !== undefined && result[current.part].length < 2000) result[current.part] += data
    },
  })
  // The parser's work grows with the square of the depth; no page of results is deep.
  for (let at = 0; at < html.length && depth < mostDepth; at += partCharacters) parser.write(html.slice(at, at + partCharacters))
  parser.end()
  const found = results
    .filter((each) => each.address !== '' && each.title.trim() !== '')
    .map(({ title, address, snippet }) => ({ title: oneLine(title), address, snippet: oneLine(snippet, 500) }))
  if (found.length > 0) return { kind: 'results', results: found }
  return { kind: hasNone ? 'none' : 'unknown' }
}

/** Where a result leads, out of the wrapping that counts clicks; null for what stays at the search engine, as advertisements do. */
function targetOf(href: string): string | null {
  const base = 'https://html.duckduckgo.com/html/'
  if (!URL.canParse(href, base)) return null
  const url = new URL(href, base)
  if (!isEngine(url)) return webAddress(url.href)
  const wrapped = url.pathname === '/l/' ? url.searchParams.get('uddg') : null
  if (wrapped === null || !URL.canParse(wrapped) || isEngine(new URL(wrapped))) return null
  return webAddress(wrapped)
}

function isEngine(url: URL): boolean {
  return /(^|\.)duckduckgo\.com$/.test(url.hostname)
}

export function webAddress(address: string): string | null {
  if (!URL.canParse(address)) return null
  const url = new URL(address)
  return (url.protocol === 'http:' || url.protocol === 'https:') && url.username === '' ? url.href : null
}
