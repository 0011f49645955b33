import { chartTitle } from './chart.ts'
import { relationsOf } from './relations.ts'
import type { SheetRemark } from './sheet-rows.ts'
import { readXml } from './xml.ts'
import type { Zip } from './zip.ts'

/** What is drawn over the cells of a sheet. */
export interface SheetDrawings {
  /** What its charts are about, whose values stand in the cells, and the text of its boxes. */
  remarks: SheetRemark[]
  /** That may show text. */
  pictures: number
}

/** Smaller, in English Metric Units, a picture is an ornament. */
const leastExtent = { width: 914_400, height: 457_200 }

function local(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

/** Drawings of a sheet (ECMA-376 part 1, 20.5). */
export async function readDrawings(zip: Zip, sheet: string): Promise<SheetDrawings> {
  const drawings: SheetDrawings = { remarks: [], pictures: 0 }
  for (const { type, target } of (await relationsOf(zip, sheet)).values()) {
    const source = type.endsWith('/drawing') ? await zip.bytes(target) : null
    if (source === null) continue
    const { charts, boxes, pictures } = readAnchors(source)
    drawings.pictures += pictures
    drawings.remarks.push(...boxes)
    const around = await relationsOf(zip, target)
    for (const { id, row } of charts) {
      const part = around.get(id)?.target
      const text = part === undefined ? null : chartTitle((await zip.bytes(part)) ?? '')
      if (text !== null) drawings.remarks.push({ row, text })
    }
  }
  return drawings
}

interface Anchors {
  charts: { id: string; row: number }[]
  boxes: SheetRemark[]
  pictures: number
}

function readAnchors(source: Buffer): Anchors {
  const charts: Anchors['charts'] = []
  const boxes: SheetRemark[] = []
  let box: string | null = null
  let inText = false
  let pictures = 0
  let row = 1
  let number = ''
  let isFrom = false
  let inPicture = false
  readXml(source, {
    open(name, attributes) {
      const tag = local(name)
      number = ''
      if (tag.endsWith('Anchor')) row = 1
      else if (tag === 'from') isFrom = true
      else if (tag === 'chart') charts.push({ id: attributes['r:id'] ?? '', row })
      else if (tag === 'pic') inPicture = true
      else if (tag === 'txBody') box = ''
      else if (tag === 't') inText = true
      else if (tag === 'br' && box !== null) box += '\n'
      else if (tag === 'ext' && inPicture && attributes['cx'] !== undefined) {
        inPicture = false
        if (Number(attributes['cx']) >= leastExtent.width && Number(attributes['cy']) >= leastExtent.height) pictures += 1
      }
    },
    close(name) {
      const tag = local(name)
      if (tag === 'row' && isFrom) row = Number(number) + 1 || 1
      else if (tag === 'from') isFrom = false
      else if (tag === 't') inText = false
      else if (tag === 'p' && box !== null) box += '\n'
      else if (tag === 'txBody') {
        const text = box?.trim() ?? ''
        if (text !== '') boxes.push({ row, text })
        box = null
      }
    },
    text(data) {
      number += data
      if (box !== null && inText) box += data
    },
  })
  return { charts, boxes, pictures }
}
