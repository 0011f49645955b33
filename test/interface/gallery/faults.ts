import type { Page } from 'playwright-core'

interface ViewFaults {
  /** Text that is cut off without dots, or with dots and no title that says the whole. */
  cut: string[]
  /** The page, or a part of it that is no table or code, is wider than its place. */
  wide: string[]
}

/** What cannot be read in the window as it is. */
export async function viewFaults(page: Page): Promise<ViewFaults> {
  return page.evaluate(() => {
    const shown = (element: Element) => element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true })
    const called = (element: Element, text: string) =>
      `${element.tagName.toLowerCase()}.${element.getAttribute('class')?.split(' ').slice(0, 3).join('.') ?? ''}: ${text.trim().slice(0, 60)}`
    const hidden = (element: Element) => element.closest('.sr-only, [aria-hidden=true], .pdf-text, [inert]') !== null
    const cut = new Set<string>()
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const text = node.textContent ?? ''
      const parent = node.parentElement
      if (text.trim() === '' || parent === null || hidden(parent) || !shown(parent)) continue
      const range = document.createRange()
      range.selectNodeContents(node)
      const rect = range.getBoundingClientRect()
      if (rect.width < 2 || rect.height < 2) continue
      for (let box: Element | null = parent; box !== null && box !== document.body; box = box.parentElement) {
        const style = getComputedStyle(box)
        const scrollsX = /auto|scroll/.test(style.overflowX)
        const scrollsY = /auto|scroll/.test(style.overflowY)
        if (scrollsX && scrollsY) break
        const place = box.getBoundingClientRect()
        if (style.display === 'inline' || place.width < 2) continue
        const clipsX = /hidden|clip/.test(style.overflowX)
        const clipsY = /hidden|clip/.test(style.overflowY)
        const overX = clipsX && (rect.right > place.right + 1.5 || rect.left < place.left - 1.5)
        const overY = clipsY && rect.bottom > place.bottom + Math.max(2, rect.height * 0.2)
        const lines = style.webkitLineClamp !== 'none'
        if (!overX && !overY) {
          if (scrollsX || scrollsY || style.position === 'fixed') break
          continue
        }
        const told = style.textOverflow === 'ellipsis' || lines
        const says = parent.closest('[title], [aria-label]') ?? box.closest('[title], [aria-label]')
        if (!told || (says === null && !lines)) cut.add(called(box, text))
        break
      }
    }
    const pen = document.createElement('canvas').getContext('2d')
    for (const field of document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input[placeholder], textarea[placeholder]')) {
      if (pen === null || field.value !== '' || !shown(field)) continue
      const { font, paddingLeft, paddingRight } = getComputedStyle(field)
      pen.font = font
      const room = field.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight)
      const rows = Math.max(1, Math.floor(field.clientHeight / 24))
      if (pen.measureText(field.placeholder).width > room * rows) cut.add(called(field, field.placeholder))
    }
    const wide = new Set<string>()
    for (const element of document.querySelectorAll('body, body *')) {
      if (!(element instanceof HTMLElement) || !shown(element) || hidden(element)) continue
      const style = getComputedStyle(element)
      if (!/auto|scroll/.test(style.overflowX) && element !== document.body) continue
      if (element.scrollWidth <= element.clientWidth + 1 || element.clientWidth === 0) continue
      // What is wide by its nature scrolls in a frame of its own; so does a page of a PDF that was made larger.
      const own = element.matches('pre, .table-frame, .katex-display, .exact, .grid-sheet, textarea, input, [data-wide], .pdf-view *')
      if (!own && element.querySelector('.pdf-page, .grid-sheet, table') === null)
        wide.add(called(element, element.getAttribute('aria-label') ?? ''))
    }
    // An element that cannot be seen may lie far down and make the window something that a jump to a place scrolls.
    for (const whole of [document.documentElement, document.body, document.querySelector('#root')]) {
      if (whole === null) continue
      const before = whole.scrollTop
      whole.scrollTop = before + 5
      if (before !== 0 || whole.scrollTop !== 0) wide.add(`${whole.tagName.toLowerCase()}: the window itself scrolls`)
      whole.scrollTop = before
    }
    if (document.documentElement.scrollWidth > document.documentElement.clientWidth) wide.add('html')
    return { cut: [...cut], wide: [...wide] }
  })
}

/** Controls that cannot be brought into the window, or that something else covers wherever they are. */
export async function unreachable(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const controls =
      'button, a[href], input, select, textarea, summary, [role=menuitem], [role=menuitemcheckbox], [role=option], [tabindex="0"]'
    const popups = [...document.querySelectorAll('dialog[open], [role=menu], .menu:has([role=listbox])')].filter((each) =>
      each.checkVisibility(),
    )
    // What lies over the rest is closed before that is used; so does the reader where there is no room beside it.
    const reader = document.querySelector('aside.reader')
    const covers = reader !== null && getComputedStyle(reader).position === 'absolute'
    const modal = popups.at(-1) ?? (covers ? reader : undefined)
    const found: string[] = []
    for (const element of (modal ?? document).querySelectorAll<HTMLElement>(controls)) {
      const held = element.closest('[inert], [aria-hidden=true]') !== null
      if (held || !element.checkVisibility({ checkVisibilityCSS: true }) || element.matches(':disabled, [type=file]')) continue
      // A choice that is drawn by its label is clicked there.
      const label = element.matches('.sr-only, [type=radio], [type=checkbox]') ? element.closest('label') : null
      const target: HTMLElement = label ?? element
      if ((element.matches('.sr-only') && label === null) || element.hasAttribute('data-radix-focus-guard')) continue
      target.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })
      const rect = target.getBoundingClientRect()
      const left = Math.max(rect.left, 0)
      const right = Math.min(rect.right, innerWidth)
      const top = Math.max(rect.top, 0)
      const bottom = Math.min(rect.bottom, innerHeight)
      const hits = (x: number, y: number) => {
        const there = document.elementFromPoint(x, y)
        return there !== null && (target.contains(there) || there.contains(target))
      }
      // A large thing is reached where a part of it is.
      const steps = Array.from({ length: 19 }, (_none, index) => (index + 1) / 20)
      const reached =
        right - left >= Math.min(8, rect.width) &&
        bottom - top >= Math.min(8, rect.height) &&
        steps.some((x) => steps.some((y) => hits(left + (right - left) * x, top + (bottom - top) * y)))
      const name = target.getAttribute('aria-label') ?? target.textContent.trim().slice(0, 40)
      const at = [rect.left, rect.top, rect.width, rect.height].map(Math.round).join(',')
      if (!reached) found.push(`${target.tagName.toLowerCase()} “${name}” at ${at}`)
    }
    return found
  })
}
