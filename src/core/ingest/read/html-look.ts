export const left = new Set(
  'script style noscript template nav svg iframe object canvas select button dialog audio video datalist'.split(' '),
)
export const blocks = new Set(
  (
    'address article aside blockquote body caption center dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html ' +
    'legend li main ol p pre section summary table tbody tfoot thead tr ul'
  ).split(' '),
)
export const empty = new Set('area base br col embed hr img link meta param source track wbr input'.split(' '))

const unseen =
  /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|opacity\s*:\s*0*\.?0*\s*(?:;|$|!)|font-size\s*:\s*0(?!\.?\d*[1-9]))/i
const raisedStyle = /(?:^|;)\s*vertical-align\s*:\s*super/i
/** More characters of style sheets are not looked at. */
const mostSheet = 1 << 20
const longestStyle = 2000

type Attributes = Record<string, string>

/** How the elements of a page look, by their attributes and by the page's own style sheets. */
export interface PageLook {
  /** Text of a style sheet, in pieces. */
  sheet(text: string): void
  endSheet(): void
  isHidden(name: string, attributes: Attributes): boolean
  isRaised(name: string, attributes: Attributes): boolean
}

export function createPageLook(): PageLook {
  /** Of single classes and ids: what the last rule for them says. */
  const hidden = new Map<string, boolean>()
  const raised = new Set<string>()
  /** Something else shows them again, a script by another class mostly. */
  const shown = new Set<string>()
  let pending = ''
  let read = 0

  function rule(selectors: string, declarations: string): void {
    const display = /(?:^|;)\s*(display|visibility)\s*:\s*([\w-]+)/i.exec(declarations)?.[2]?.toLowerCase()
    const isUnseen = display === 'none' || display === 'hidden' || display === 'collapse'
    for (const selector of selectors.split(',')) {
      const parts = /^(?:[a-z][\w-]*|\*)?([.#][\w-]+)$/i.exec(selector.trim())
      if (parts !== null) {
        if (display !== undefined) hidden.set(parts[1]!, isUnseen)
        if (raisedStyle.test(declarations)) raised.add(parts[1]!)
      } else if (display !== undefined && !isUnseen) for (const [name] of selector.matchAll(/[.#][\w-]+/g)) shown.add(name)
    }
  }

  function keysOf(attributes: Attributes): string[] {
    if (hidden.size === 0 && raised.size === 0) return []
    const classes = (attributes['class'] ?? '').slice(0, longestStyle).split(/\s+/)
    return [...classes.map((name) => `.${name}`), `#${attributes['id'] ?? ''}`]
  }

  return {
    sheet(text) {
      read += text.length
      if (read <= mostSheet) pending += text
    },
    endSheet() {
      for (const { selectors, declarations } of rulesOf(pending)) rule(selectors, declarations)
      pending = ''
    },
    isHidden(name, attributes) {
      // Some pages hide themselves until their scripts have run.
      if (name === 'html' || name === 'body') return false
      // A picture of the formula is shown instead.
      if (attributes['class']?.includes('mwe-math-mathml-') === true) return false
      return (
        'hidden' in attributes ||
        attributes['aria-hidden']?.trim().toLowerCase() === 'true' ||
        attributes['role'] === 'navigation' ||
        (attributes['style'] !== undefined && unseen.test(attributes['style'].slice(0, longestStyle))) ||
        (!/display\s*:/i.test(attributes['style'] ?? '') && keysOf(attributes).some((key) => hidden.get(key) === true && !shown.has(key)))
      )
    },
    isRaised(name, attributes) {
      if (name === 'sup' || raisedStyle.test((attributes['style'] ?? '').slice(0, longestStyle))) return true
      if (/(?:^|\s)noteref(?:\s|$)/.test(attributes['epub:type'] ?? '') || attributes['role'] === 'doc-noteref') return true
      return raised.size > 0 && keysOf(attributes).some((key) => raised.has(key))
    },
  }
}

/** The rules of a style sheet that always hold: those for paper or for some screens are passed over. */
function* rulesOf(sheet: string): Generator<{ selectors: string; declarations: string }> {
  const text = sheet.replace(/\/\*[\s\S]*?\*\/|<!--|-->/g, ' ')
  let from = 0
  while (from < text.length) {
    const open = text.indexOf('{', from)
    if (open === -1) return
    const selectors = text.slice(text.lastIndexOf(';', open) > from ? text.lastIndexOf(';', open) + 1 : from, open).trim()
    let depth = 1
    let at = open + 1
    for (; at < text.length && depth > 0; at += 1) {
      if (text[at] === '{') depth += 1
      else if (text[at] === '}') depth -= 1
    }
    if (!selectors.startsWith('@')) yield { selectors, declarations: text.slice(open + 1, at - 1) }
    from = at
  }
}

/** What a picture or a field says that has no text of its own; null when it is none, or says nothing. */
export function saidByElement(name: string, attributes: Attributes): string | null {
  if (name === 'img') return saidByPicture(attributes)
  if (name !== 'input') return null
  const type = (attributes['type'] ?? 'text').trim().toLowerCase()
  if (type === 'checkbox' || type === 'radio') return 'checked' in attributes ? '☑' : null
  const value = attributes['value']?.trim() ?? ''
  return /^(?:hidden|password|submit|button|reset|image|file|color|range)$/.test(type) || value === '' ? null : value
}

const fileName = /^\S+\.(?:png|jpe?g|gif|svg|webp|bmp|ico|avif)$/i

function saidByPicture({ alt = '', width, height, class: look = '', role }: Attributes): string | null {
  const said = alt.replace(/\s+/g, ' ').trim()
  // Formulas are read beside their picture; one point counts who opens a mail.
  if (said === '' || fileName.test(said) || look.includes('mwe-math') || role === 'presentation' || width === '1' || height === '1')
    return null
  return /^(?:\p{Extended_Pictographic}|\p{Emoji_Component}|\p{S})+$/u.test(said) ? said : `[${said}]`
}
