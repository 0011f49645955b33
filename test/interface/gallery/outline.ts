import type { Page } from 'playwright-core'

/** One region, heading or control of a state: what it is, where, and how it is drawn. */
export interface Mark {
  what: string
  name: string
  /** CSS px: left, top, width, height. */
  box: [number, number, number, number]
  /** Size of the text, its colour, the ground, the border's radius. */
  drawn: string
}

export async function outlineOf(page: Page): Promise<Mark[]> {
  return page.evaluate(() => {
    const regions =
      'nav, main, aside, header, footer, section[aria-label], form, dialog[open], article, [role=menu], [role=listbox], [role=tablist], [role=alert], .card, .pdf-page, .pdf-mark, table'
    const controls =
      'h1, h2, h3, button, a[href], input:not([type=file]), select, textarea, summary, [role=menuitem], [role=option], [role=tab], [role=link]'
    const marks: Mark[] = []
    for (const element of document.querySelectorAll<HTMLElement>(`${regions}, ${controls}`)) {
      if (!element.checkVisibility({ checkVisibilityCSS: true })) continue
      // How many rows of a long list exist is a matter of their height.
      const row = element.closest('[data-item-index], [data-row], [data-page]')
      const at = Number(row?.getAttribute('data-item-index') ?? row?.getAttribute('data-row') ?? 0)
      if (at > 3 || (row?.hasAttribute('data-page') === true && Number(row.getAttribute('data-page')) > 2)) continue
      const { left, top, width, height } = element.getBoundingClientRect()
      if (width < 2 || height < 2) continue
      const isControl = element.matches(controls)
      const style = getComputedStyle(element)
      const said = element.getAttribute('aria-label') ?? (isControl ? element.textContent : '')
      const role = element.getAttribute('role')
      marks.push({
        what: role ?? element.tagName.toLowerCase(),
        name: said.replace(/\s+/g, ' ').trim().slice(0, 50),
        box: [left, top, width, height].map(Math.round) as Mark['box'],
        drawn: [style.fontSize, style.fontWeight, style.color, style.backgroundColor, style.borderRadius].join(' '),
      })
    }
    return marks
  })
}

/** Widths of some words in each of the three families: two machines with the same ones draw alike. */
export async function fontsOf(page: Page): Promise<string> {
  return page.evaluate(() => {
    const context = document.createElement('canvas').getContext('2d')
    if (context === null) return ''
    const root = getComputedStyle(document.documentElement)
    return ['--sans', '--serif', '--mono']
      .map((family) => {
        context.font = `20px ${root.getPropertyValue(family)}`
        return ['Hamburgefonstiv 0123', '四库全书，问答有据'].map((words) => Math.round(context.measureText(words).width)).join('/')
      })
      .join(' ')
  })
}

export const writeOutline = (fonts: string, marks: Mark[]): string =>
  [fonts, ...marks.map(({ what, name, box, drawn }) => [what, name, box.join(','), drawn].join('\t'))].join('\n') + '\n'

export function readOutline(text: string): { fonts: string; marks: Mark[] } {
  const [fonts = '', ...lines] = text.trimEnd().split('\n')
  const marks = lines.map((line): Mark => {
    const [what = '', name = '', box = '', drawn = ''] = line.split('\t')
    const [left = 0, top = 0, width = 0, height = 0] = box.split(',').map(Number)
    return { what, name, box: [left, top, width, height], drawn }
  })
  return { fonts, marks }
}

/** Other fonts wrap elsewhere, and what is below a paragraph moves with it: only what is much elsewhere is a change. */
const tolerance = {
  alike: { share: 0, px: 4 },
  other: { share: 0.3, px: 110 },
}

/** What is missing, new, elsewhere or drawn in another way than in the outline that is kept. */
export function outlineChanges(kept: string, now: string): string[] {
  const before = readOutline(kept)
  const after = readOutline(now)
  const { share, px } = before.fonts === after.fonts ? tolerance.alike : tolerance.other
  const key = ({ what, name }: Mark) => `${what} “${name}”`
  const counted = (marks: Mark[]) => {
    const groups = new Map<string, Mark[]>()
    for (const mark of marks) groups.set(key(mark), [...(groups.get(key(mark)) ?? []), mark])
    return groups
  }
  const old = counted(before.marks)
  const fresh = counted(after.marks)
  const changes: string[] = []
  for (const [name, marks] of old) {
    const others = fresh.get(name) ?? []
    if (others.length !== marks.length) {
      changes.push(others.length === 0 ? `gone: ${name}` : `${name}: ${marks.length} before, ${others.length} now`)
      continue
    }
    marks.forEach((mark, index) => {
      const other = others[index]
      if (other === undefined) return
      const moved = mark.box.some((value, side) => Math.abs(value - (other.box[side] ?? 0)) > px + share * Math.abs(value))
      if (moved) changes.push(`${name}: was at ${mark.box.join(',')}, is at ${other.box.join(',')}`)
      if (mark.drawn !== other.drawn) changes.push(`${name}: was drawn ${mark.drawn}, is drawn ${other.drawn}`)
    })
  }
  for (const name of fresh.keys()) if (!old.has(name)) changes.push(`new: ${name}`)
  const order = (marks: Mark[]) => marks.map(key).join('\n')
  if (changes.length === 0 && order(before.marks) !== order(after.marks)) changes.push('the order is another')
  return changes
}
