import { z } from 'zod'
import { counted } from '../../../contract/counted.ts'
import type { Net } from '../../net/net.ts'
import { defineTool, type Tool, type ToolOutput } from '../tool.ts'
import { acceptLanguage } from './web-get.ts'
import { charsetOf, decodeBytes, linkTo, readablePage } from './web-text.ts'

const purpose = 'read a web page'
const mostBytes = 3_000_000
/** Of one call; the loop shows its beginning and reads on in the rest. */
const pieceCharacters = 100_000

const schema = z.object({
  url: z.string().min(1).max(2000).describe('the full http or https address of the page'),
  from: z.int().min(0).default(0).describe('the character of the page’s text to read on from; 0 is its beginning'),
})

/** Reads one public page as text. */
export function createReadWebPage({ net }: { net: Net }): Tool {
  return defineTool({
    name: 'read_web_page',
    description:
      'Reads one public web page and gives its text: headings, lists, tables, links. For a page whose address is known, from search_web or from the user. Not for files on this computer.',
    schema,
    suits:
      /https?:\/\/|\bwww\.|\b(?:web ?pages?|website|url|link|site|article at)\b|\b[\w-]+\.(?:com|org|net|cn|io|gov|edu)\b|网页|网址|链接|网站|官网/iu,
    access: 'network',
    gives: { untrusted: true },
    aliases: ['fetch_url', 'read_url', 'open_url', 'browse', 'fetch_web_page', 'read_webpage'],
    limits: { timeoutMs: 45_000 },
    adapt: (given) => withScheme(given),
    refuses: ({ url }) => net.refusalOf(url, purpose),
    site: ({ url }) => (URL.canParse(url) ? new URL(url).host : ''),
    line: ({ url }, language) => {
      const address = URL.canParse(url) ? new URL(url).href : url
      return language === 'zh' ? `读取网页 ${address}` : `Read the web page ${address}`
    },
    async run({ url, from }, { signal, language }): Promise<ToolOutput> {
      const answer = await net.fetchPublic(url, {
        purpose,
        signal,
        accept: 'text/html,application/xhtml+xml,text/plain;q=0.9,application/json;q=0.8,*/*;q=0.1',
        acceptLanguage: acceptLanguage(language),
        maxBytes: mostBytes,
        timeoutMs: 30_000,
        stayOnSite: true,
      })
      const { leadsTo, status, contentType, bytes, cut } = answer
      if (leadsTo !== null)
        return { failed: true, text: `${answer.url} leads to another site. To read it, call read_web_page with its address: ${leadsTo}` }
      const kind = kindOf(contentType, bytes)
      if (kind === 'other') {
        const said = contentType.split(';')[0]?.trim().slice(0, 60) || 'an unknown kind'
        return {
          failed: true,
          text: `${answer.url} is not a page of text but ${said}. Only web pages, plain text and JSON can be read here.`,
        }
      }
      const text = decodeBytes(bytes, charsetOf(contentType), cut)
      const page =
        kind === 'html'
          ? await readablePage(text, answer.url, signal)
          : { title: '', text: text.replace(/\r\n?/g, '\n').trim(), cut: false }
      const isGood = status >= 200 && status < 300
      const head = [`${linkTo(page.title, answer.url)}`, ...(isGood ? [] : [`The server answered with status ${status}.`])]
      if (page.text === '') {
        const why =
          kind === 'html' ? 'The page has no text of its own; it may be put together by scripts, which are not run here.' : 'It is empty.'
        return { failed: true, text: [...head, why].join('\n\n') }
      }
      if (from >= page.text.length)
        return {
          failed: true,
          text: [...head, `The text has ${counted(page.text.length, 'character')}: nothing comes after ${from}.`].join('\n\n'),
        }
      const piece = page.text.slice(from, from + pieceCharacters)
      const to = from + piece.length
      const notes = [
        ...(from > 0 ? [`From character ${from} of ${page.text.length}.`] : []),
        ...(to < page.text.length ? [`There is more: read on with from=${to}.`] : []),
        ...((cut || page.cut) && to >= page.text.length ? ['The page goes on, but is too large to be read further here.'] : []),
      ]
      return { text: [...head, piece, ...notes].join('\n\n'), ...(isGood ? {} : { failed: true }) }
    },
  })
}

/** "example.com/page" is what people and models write for a page. */
function withScheme(given: unknown): unknown {
  if (typeof given !== 'object' || given === null || !('url' in given) || typeof given.url !== 'string') return given
  const url = given.url.trim()
  return /^(?:[a-z0-9-]+\.)+[a-z]{2,}(?::\d+)?(?:[/?#]|$)/i.test(url) ? { ...given, url: `https://${url}` } : given
}

/** By what the server says; by the first bytes where it says nothing. */
function kindOf(contentType: string, bytes: Uint8Array): 'html' | 'text' | 'other' {
  const type = contentType.split(';')[0]?.trim() ?? ''
  const start = Buffer.from(bytes.subarray(0, 1024)).toString('latin1')
  if (start.startsWith('%PDF-') || (start.includes('\0') && !/^(\xFF\xFE|\xFE\xFF)/.test(start))) return 'other'
  const looksHtml = /^(?:\xEF\xBB\xBF)?\s*(?:<!--[^]*?-->\s*)?<(?:!doctype html|html|head|body)\b/i.test(start)
  if (type === 'text/html' || type === 'application/xhtml+xml') return 'html'
  if (type === '' || type === 'application/octet-stream')
    return looksHtml ? 'html' : type === '' && !/[^\t\n\r\x20-\xFF]/.test(start) ? 'text' : 'other'
  if (type.startsWith('text/') || /^application\/(?:[\w.+-]*\+)?(?:json|xml|yaml|x-ndjson|javascript)$/.test(type))
    return looksHtml ? 'html' : 'text'
  return 'other'
}
