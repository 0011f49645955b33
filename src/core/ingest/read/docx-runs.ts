import { raisingStyles, type RaisingStyle } from './raised.ts'
import { readXml } from './xml.ts'

/** How the open run looks. */
export interface Run {
  bold: boolean
  hidden: boolean
  raised: boolean
}

export interface Runs {
  open(name: string, attributes: Record<string, string>): void
  close(name: string): void
  readonly isIn: boolean
  readonly now: Run
}

const flags: Record<string, 'bold' | 'hidden'> = { 'w:b': 'bold', 'w:bCs': 'bold', 'w:vanish': 'hidden' }
const plainRun: Run = { bold: false, hidden: false, raised: false }
/** In half points: less is only set right on its line. */
const leastRaise = 6

export function createRuns(raisedStyles: ReadonlySet<string>): Runs {
  let isIn = false
  let now = plainRun
  return {
    open(name, attributes) {
      const value = attributes['w:val'] ?? ''
      if (name === 'w:r') {
        isIn = true
        now = { ...plainRun }
      } else if (!isIn) return
      else if (flags[name] !== undefined) now[flags[name]] = !/^(?:0|false|off)$/.test(value)
      else if (name === 'w:rStyle') now.raised ||= raisedStyles.has(value)
      else if (name === 'w:vertAlign') now.raised = value === 'superscript'
      else if (name === 'w:position') now.raised ||= Number(value) >= leastRaise
    },
    close(name) {
      if (name !== 'w:r') return
      isIn = false
      now = plainRun
    },
    get isIn() {
      return isIn
    },
    get now() {
      return now
    },
  }
}

/** Styles of characters that raise them. */
export function raisedStyles(source: Buffer | null): ReadonlySet<string> {
  const styles = new Map<string, RaisingStyle>()
  let open: RaisingStyle | null = null
  if (source !== null)
    readXml(source, {
      open(name, attributes) {
        const value = attributes['w:val'] ?? ''
        if (name === 'w:style' && attributes['w:type'] === 'character') {
          open = { parent: '', raised: null }
          styles.set(attributes['w:styleId'] ?? '', open)
        } else if (open === null) return
        else if (name === 'w:basedOn') open.parent = value
        else if (name === 'w:vertAlign') open.raised = value === 'superscript'
      },
      close(name) {
        if (name === 'w:style') open = null
      },
    })
  return raisingStyles(styles)
}
