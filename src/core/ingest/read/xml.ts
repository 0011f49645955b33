import { Parser } from 'htmlparser2'
import { XmlProblem } from './xml-problem.ts'

export { XmlProblem }

export interface XmlHandler {
  /** Names as written, prefix included: `w:p`. */
  open?(name: string, attributes: Record<string, string>): void
  close?(name: string): void
  /** In pieces; entities of XML itself are resolved, others never. */
  text?(data: string): void
}

/** Deeper than any document of a person. */
const maxDepth = 512

/**
 * Reads XML by events, without a tree. Declarations of entities are not followed, so that none can grow or fetch; damage does
 * not throw: what stands before it was told.
 */
export function readXml(source: Buffer | string, handler: XmlHandler): void {
  let depth = 0
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        depth += 1
        if (depth > maxDepth) throw new XmlProblem('The document is nested too deeply.')
        handler.open?.(name, attributes)
      },
      onclosetag(name) {
        depth -= 1
        handler.close?.(name)
      },
      // A soft hyphen says where a word may be broken, and is no part of it.
      ontext: (data) => handler.text?.(data.replaceAll('\u00AD', '')),
    },
    { xmlMode: true, decodeEntities: true },
  )
  // A character that was cut in two at the end is none.
  const text = (typeof source === 'string' ? source : decodeXml(source)).replace(/\uFFFD$/, '')
  // In pieces: one event's strings never hold the whole document.
  for (let at = 0; at < text.length; at += 1 << 16) parser.write(text.slice(at, at + (1 << 16)))
  parser.end()
}

/** XML says its encoding itself: by its first bytes, or in its declaration. */
export function decodeXml(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  const declared = /^<\?xml[^>]*\bencoding\s*=\s*["']([\w.-]+)["']/.exec(bytes.subarray(0, 200).toString('latin1'))?.[1] ?? 'utf-8'
  try {
    return new TextDecoder(/^(?:gb2312|gbk)$/i.test(declared) ? 'gb18030' : declared).decode(bytes)
  } catch {
    return new TextDecoder().decode(bytes)
  }
}
