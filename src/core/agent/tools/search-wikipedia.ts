import { z } from 'zod'
import type { Language } from '../../../contract/library.ts'
import type { Net } from '../../net/net.ts'
import { defineTool, type Tool, type ToolOutput } from '../tool.ts'
import { getJson } from './web-get.ts'
import { linkTo, oneLine } from './web-text.ts'

const mostArticles = 3
const summaryCharacters = 1_000

const schema = z.object({
  query: z.string().trim().min(1).max(300).describe('what to look up, as a title or a few words'),
  language: z.string().max(20).optional().describe('a Wikipedia language code such as zh, en or ja; the question’s own when left out'),
})

const answerSchema = z.object({
  query: z
    .object({
      pages: z.array(
        z.object({
          title: z.string(),
          index: z.number().optional(),
          extract: z.string().optional(),
          fullurl: z.string().optional(),
          varianttitles: z.record(z.string(), z.string()).optional(),
          pageprops: z.object({ disambiguation: z.string().optional() }).optional(),
        }),
      ),
    })
    .optional(),
  error: z.object({ code: z.string(), info: z.string() }).optional(),
})

interface Edition {
  code: string
  /** Of Chinese: which characters. */
  variant: string | null
}

const spokenNames: Record<string, string> = {
  chinese: 'zh',
  中文: 'zh',
  english: 'en',
  英文: 'en',
  japanese: 'ja',
  german: 'de',
  french: 'fr',
}

/** Which Wikipedia is meant; null when it is none's code. Nothing but a code gets into the name of a host. */
function editionOf(language: string | undefined, question: Language): Edition | null {
  const asked = language?.trim().toLowerCase() ?? ''
  const code = asked === '' ? (question === 'other' ? 'en' : question) : (spokenNames[asked] ?? asked)
  const chinese = /^zh(?:[-_](cn|hans|sg|my|tw|hant|hk|mo))?$/.exec(code)
  if (chinese !== null) return { code: 'zh', variant: `zh-${chinese[1] ?? 'cn'}` }
  const plain = code.replace(/^(en|pt|es|fr|de|ja|ko)[-_][a-z]{2}$/, '$1')
  return /^[a-z]{2,12}(-[a-z]{2,12}){0,2}$/.test(plain) ? { code: plain, variant: null } : null
}

function addressOf(query: string, edition: Edition): URL {
  const url = new URL(`https://${edition.code}.wikipedia.org/w/api.php`)
  const parameters = {
    action: 'query',
    format: 'json',
    formatversion: '2',
    generator: 'search',
    gsrsearch: query,
    gsrlimit: String(mostArticles),
    gsrnamespace: '0',
    redirects: '1',
    prop: 'extracts|info|pageprops',
    exintro: '1',
    explaintext: '1',
    exlimit: String(mostArticles),
    inprop: 'url|varianttitles',
    ppprop: 'disambiguation',
    ...(edition.variant === null ? {} : { converttitles: '1', variant: edition.variant }),
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url
}

/** The top three articles' summaries. */
export function createSearchWikipedia({ net }: { net: Net }): Tool {
  return defineTool({
    name: 'search_wikipedia',
    description:
      'Looks something up in Wikipedia and gives the summaries of the top three articles with their links. For general knowledge about people, places, things and events.',
    schema,
    suits:
      /\b(?:wiki\w*|who (?:was|is|were)|what (?:is|was|are) (?:an? |the )?\p{L}+|history of|born|capital|population|invented|founded|biography|president|emperor|dynasty|planet|encyclop\w+)\b|维基|百科|是谁|什么是|是什么|历史|出生|首都|人口|发明|创立|生平|总统|皇帝|朝代/iu,
    access: 'network',
    gives: { untrusted: true },
    aliases: ['wikipedia', 'wikipedia_search', 'search_wiki', 'wiki'],
    limits: { timeoutMs: 30_000 },
    site: () => 'wikipedia.org',
    line: ({ query, language }, spoken) => {
      const host = `${editionOf(language, spoken)?.code ?? '?'}.wikipedia.org`
      return spoken === 'zh' ? `在 ${host} 查找“${query}”` : `Look up “${query}” at ${host}`
    },
    async run({ query, language }, context): Promise<ToolOutput> {
      const edition = editionOf(language, context.language)
      if (edition === null)
        return { failed: true, text: `“${oneLine(language ?? '', 40)}” is no language code of Wikipedia. Use one such as zh, en or ja.` }
      const url = addressOf(query, edition)
      const answer = await getJson(net, url, answerSchema, { purpose: 'look up in Wikipedia', signal: context.signal })
      if (answer.error !== undefined)
        return { failed: true, text: `Wikipedia refused the search (${oneLine(answer.error.code, 60)}). Try other words.` }
      const pages = (answer.query?.pages ?? []).sort((a, b) => (a.index ?? 0) - (b.index ?? 0)).slice(0, mostArticles)
      if (pages.length === 0)
        return { text: `Nothing was found in the ${edition.code} Wikipedia for “${oneLine(query)}”. Try other words or another language.` }
      const articles = pages.map((page, at) => {
        const title = (edition.variant === null ? undefined : page.varianttitles?.[edition.variant]) ?? page.title
        const own = new URL(`/wiki/${encodeURIComponent(page.title.replaceAll(' ', '_'))}`, url)
        const link = linkTo(title, page.fullurl !== undefined && isOf(page.fullurl, url.host) ? page.fullurl : own.href)
        const note =
          page.pageprops?.disambiguation === undefined
            ? ''
            : '\n(This name has several meanings; the page lists them. Look one of them up.)'
        return `${at + 1}. ${link}${note}\n${summaryOf(page.extract ?? '')}`
      })
      return { text: articles.join('\n\n') }
    },
  })
}

function isOf(address: string, host: string): boolean {
  return URL.canParse(address) && new URL(address).protocol === 'https:' && new URL(address).host === host
}

/** Ends at the end of a sentence where one is near. */
function summaryOf(extract: string): string {
  const text = extract.replace(/\n{2,}/g, '\n').trim()
  if (text === '') return '(The article has no summary.)'
  if (text.length <= summaryCharacters) return text
  const start = text.slice(0, summaryCharacters)
  const end = Math.max(...['。', '！', '？', '. ', '\n'].map((mark) => start.lastIndexOf(mark)))
  return end > summaryCharacters / 2 ? `${start.slice(0, end + 1).trimEnd()} …` : `${start}…`
}
