import { raisingStyles, type RaisingStyle } from './raised.ts'
import { readXml } from './xml.ts'
import type { Zip } from './zip.ts'

/** Styles of text that raise it: those of the document, and those made for single places in it. */
export async function raisedSpans(zip: Zip, content: Buffer): Promise<ReadonlySet<string>> {
  const styles = new Map<string, RaisingStyle>()
  let open: RaisingStyle | null = null
  const body = content.indexOf('<office:body')
  for (const source of [await zip.bytes('styles.xml'), body === -1 ? content : content.subarray(0, body)]) {
    if (source === null) continue
    readXml(source, {
      open(name, attributes) {
        if (name === 'style:style' && attributes['style:family'] === 'text') {
          open = { parent: attributes['style:parent-style-name'] ?? '', raised: null }
          styles.set(attributes['style:name'] ?? '', open)
        } else if (name === 'style:text-properties' && open !== null) {
          const position = attributes['style:text-position']
          if (position !== undefined) open.raised = /^\s*(?:super|0*[1-9][\d.]*%|0*\.\d*[1-9]\d*%)/.test(position)
        }
      },
      close(name) {
        if (name === 'style:style') open = null
      },
    })
  }
  return raisingStyles(styles)
}
