import { z } from 'zod'
import { SikuError } from '../../../contract/errors.ts'
import type { Settings } from '../../../contract/settings.ts'
import type { Net } from '../../net/net.ts'
import { defineTool, type Tool, type ToolContext, type ToolOutput } from '../tool.ts'
import { acceptLanguage, checkAnswer, getJson } from './web-get.ts'
import { readResultPage, webAddress, type WebResult } from './web-results.ts'
import { linkTo, oneLine } from './web-text.ts'

const schema = z.object({
  query: z.string().trim().min(1).max(400).describe('what to search for, in a few words'),
  limit: z.int().min(1).max(10).default(5).describe('how many results'),
})

const duckDuckGo = 'html.duckduckgo.com'
const purpose = 'search the web'

const words = z
  .union([z.string(), z.number().transform(String)])
  .nullish()
  .catch(null)
const resultSchema = z.object({ url: z.string(), title: words, content: words })
/** Its results come from many engines: an odd one takes nothing from the others. */
const searxngSchema = z.object({
  results: z.array(z.unknown()).transform((results) => results.flatMap((each) => resultSchema.safeParse(each).data ?? [])),
})

/** The user's own search server; null: none is set. */
function searxngOf(address: string): URL | null {
  const given = address.trim()
  if (given === '') return null
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(given) ? given : `http://${given}`
  if (!URL.canParse(text))
    throw new SikuError('bad-input', 'The SearXNG address in the settings is not an address.', { hint: 'Mend it in Settings.' })
  const url = new URL(text)
  url.search = ''
  url.hash = ''
  url.pathname = `${url.pathname.replace(/\/(?:search\/?)?$/, '')}/search`
  return url
}

/** Searches with the user's SearXNG server when one is set, else with DuckDuckGo. Never the one in place of the other. */
export function createSearchWeb({ net, settings }: { net: Net; settings: () => Pick<Settings, 'searxngAddress'> }): Tool {
  const hostOf = (): string => {
    try {
      return searxngOf(settings().searxngAddress)?.host ?? duckDuckGo
    } catch {
      return ''
    }
  }
  return defineTool({
    name: 'search_web',
    description:
      'Searches the web and gives titles, links and short excerpts. For what is newer or more particular than general knowledge. Read a result with read_web_page.',
    schema,
    suits:
      /\b(?:web|internet|online|google|search|news|latest|current(?:ly)?|recent|price|stock|review|website|look up|up to date|release[ds]?)\b|网上|上网|互联网|搜索|新闻|最新|最近|价格|股价|行情|网站|官网|评测|发布|搜一下/iu,
    access: 'network',
    gives: { untrusted: true },
    aliases: ['web_search', 'search_internet', 'internet_search', 'duckduckgo_search', 'google_search', 'search_online'],
    limits: { timeoutMs: 30_000 },
    site: hostOf,
    line: ({ query }, language) => (language === 'zh' ? `在 ${hostOf()} 搜索“${query}”` : `Search ${hostOf()} for “${query}”`),
    async run({ query, limit }, context): Promise<ToolOutput> {
      const own = searxngOf(settings().searxngAddress)
      const found = own === null ? await searchDuckDuckGo(query, context) : await searchSearxng(own, query, context)
      if (!Array.isArray(found)) return found
      const results = found.slice(0, limit)
      if (results.length === 0) return { text: `Nothing was found for “${oneLine(query)}”. Try fewer or other words.` }
      return {
        text: results
          .map(({ title, address, snippet }, at) => `${at + 1}. ${linkTo(title, address)}${snippet === '' ? '' : `\n${snippet}`}`)
          .join('\n\n'),
      }
    },
  })

  async function searchDuckDuckGo(query: string, { signal, language }: ToolContext): Promise<WebResult[] | ToolOutput> {
    const url = new URL(`https://${duckDuckGo}/html/`)
    url.searchParams.set('q', query)
    if (language === 'zh') url.searchParams.set('kl', 'cn-zh')
    const answer = await net.fetchPublic(url, {
      purpose,
      signal,
      accept: 'text/html',
      acceptLanguage: acceptLanguage(language),
      maxBytes: 1_000_000,
      timeoutMs: 20_000,
      stayOnSite: true,
    })
    const page = await readResultPage(Buffer.from(answer.bytes).toString('utf8'))
    if (page.kind === 'results') return page.results
    if (page.kind !== 'blocked') checkAnswer(answer, url)
    if (page.kind === 'none') return []
    const text =
      page.kind === 'blocked'
        ? 'DuckDuckGo takes this program for a robot and shows a puzzle instead of results. Try again later, use another tool, or say that the web could not be searched; a SearXNG address can be set in Settings instead.'
        : 'DuckDuckGo answered with a page that holds no results in the known form.'
    return { failed: true, text }
  }

  async function searchSearxng(own: URL, query: string, { signal, language }: ToolContext): Promise<WebResult[] | ToolOutput> {
    const url = new URL(own)
    const asked = { q: query, format: 'json', ...(language === 'other' ? {} : { language }) }
    for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value)
    try {
      const { results } = await getJson(net, url, searxngSchema, { purpose, signal, language, configured: own.origin })
      return results.flatMap(({ url: target, title, content }) => {
        const address = webAddress(target)
        return address === null ? [] : [{ title: oneLine(title ?? ''), address, snippet: oneLine(content ?? '', 500) }]
      })
    } catch (error) {
      if (!(error instanceof SikuError) || error.status !== 403) throw error
      return {
        failed: true,
        text: `The SearXNG server at ${own.host} does not give JSON: “json” has to stand under search.formats in its settings.yml.`,
      }
    }
  }
}
