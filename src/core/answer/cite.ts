/** Anything that may be a citation in brackets of any width: [1], [1, 2], [^1], 【1】, [2-4], [来源1], 【3†source】. */
const marker =
  /^[[［【]\s*(?:\^|#|(?:sources?|passages?|来源|资料|引用|出处)\s*[:：]?\s*)?(\d{1,3}(?:\s*[,，、;；]\s*\^?\d{1,3}|\s*[-–—~]\s*\d{1,3})*)\s*(?:†[^\]］】\n]{0,40})?[\]］】]/i
/** What may still become one. */
const beginning = /^[[［【]\s*(?:\^|#|[a-z来源资料引用出处]{0,8}\s*[:：]?\s*)?[\d\s,，、;；\-–—~^]*(?:†[^\]］】\n]{0,40})?$/i
/** Words before a bracket that make it an index, also outside of code: my_list[1], argv[1]. */
const indexed = /(?:\w_\w*|[a-z]+[A-Z]\w*|\)|\b(?:array|arr|args|argv|list|vec|tuple))$/

export interface Citer {
  /** The text that is certain by now. */
  push(text: string): string
  /** The rest, at the end. */
  flush(): string
  /** Markers that pointed at nothing. */
  readonly dropped: number
}

/**
 * Brings the markers of a streamed answer into one form, [1], and takes out those that point at no passage. Pieces may be
 * cut anywhere. Code, in blocks and between backticks, stays as it is.
 */
export function createCiter(isKnown: (marker: number) => boolean): Citer {
  let pending = ''
  /** The end of what was given out, for looking back. */
  let tail = ''
  let code: { fence: string; isBlock: boolean } | null = null
  let dropped = 0

  function run(isEnd: boolean): string {
    let out = ''
    let at = 0
    const give = (text: string): void => {
      out += text
      tail = (tail + text).slice(-40)
    }
    const atLineStart = (): boolean => /(^|\n)[ \t]*$/.test(tail)

    while (at < pending.length) {
      const rest = pending.slice(at)
      const first = rest.charAt(0)
      if (first === '`' || (first === '~' && (code?.isBlock ?? atLineStart()))) {
        const length = rest.length - rest.replace(first === '`' ? /^`+/ : /^~+/, '').length
        if (length === rest.length && !isEnd) break
        toggle(rest.slice(0, length), atLineStart())
        give(rest.slice(0, length))
        at += length
      } else if (code !== null) {
        if (first === '\n' && !code.isBlock) code = null
        give(first)
        at += 1
      } else if (first === ' ' || first === '\t') {
        // Blanks wait for what follows: a marker that is dropped takes them along.
        const blanks = /^[ \t]+/.exec(rest)?.[0] ?? ''
        const next = rest.slice(blanks.length)
        if (!isEnd && (next === '' || beginning.test(next))) break
        const found = marker.exec(next)
        if (found === null || isIndex(blanks)) {
          give(blanks)
          at += blanks.length
        } else {
          const kept = normalised(found[1] ?? '')
          give(kept === '' ? '' : blanks + kept)
          at += blanks.length + found[0].length
        }
      } else if (first === '[' || first === '［' || first === '【') {
        if (!isEnd && beginning.test(rest)) break
        const found = isIndex('') ? null : marker.exec(rest)
        give(found === null ? first : normalised(found[1] ?? ''))
        at += found === null ? 1 : found[0].length
      } else {
        const plain = /^[^`~[［【 \t]+/.exec(rest)?.[0] ?? first
        give(plain)
        at += plain.length
      }
    }
    pending = isEnd ? '' : pending.slice(at)
    return out
  }

  function isIndex(blanks: string): boolean {
    return blanks === '' && indexed.test(tail)
  }

  function toggle(fence: string, lineStart: boolean): void {
    if (code === null) {
      const isBlock = lineStart && fence.length >= 3
      if (isBlock || fence.startsWith('`')) code = { fence, isBlock }
    } else if (code.isBlock ? lineStart && fence.startsWith(code.fence) : fence === code.fence) {
      code = null
    }
  }

  function normalised(list: string): string {
    let markers = ''
    for (const part of list.split(/[,，、;；]/)) {
      const [from = 0, to = from] = part.split(/[-–—~]/).map((number) => Number(number.replace(/[\s^]/g, '')))
      // A range that is none, such as a date, counts as its two ends.
      const numbers =
        to > from && to - from < 20 ? Array.from({ length: to - from + 1 }, (_value, index) => from + index) : [...new Set([from, to])]
      for (const number of numbers) {
        if (isKnown(number)) markers += `[${number}]`
        else dropped += 1
      }
    }
    return markers
  }

  return {
    push(text) {
      pending += text
      return run(false)
    },
    flush: () => run(true),
    get dropped() {
      return dropped
    },
  }
}

/** The same for a whole text. */
export function citeText(text: string, isKnown: (marker: number) => boolean): { text: string; dropped: number } {
  const citer = createCiter(isKnown)
  const whole = citer.push(text) + citer.flush()
  return { text: whole, dropped: citer.dropped }
}

/** For prompts and titles: a text without its markers. */
export function withoutMarkers(text: string): string {
  return citeText(text, () => false).text
}
