import { chartTitle } from './chart.ts'
import { relationsOf } from './relations.ts'
import type { SheetRemark } from './sheet-rows.ts'
import { readXml } from './xml.ts'
import type { Zip } from './zip.ts'

/** What is drawn over the cells of a sheet. */
export interface SheetDrawings {
  /** What its charts are about: their values stand in the cells. */
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
    const { charts, pictures } = readAnchors(source)
    drawings.pictures += pictures
    const around = await relationsOf(zip, target)
    for (const { id, row } of charts) {
      const part = around.get(id)?.target
      const text = part === undefined ? null : chartTitle((await zip.bytes(part)) ?? '')
      if (text !== null) drawings.remarks.push({ row, text })
    }
  }
  return drawings
}

function readAnchors(source: Buffer): { charts: { id: string; row: number }[]; pictures: number } {
  const charts: { id: string; row: number }[] = []
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
      else if (tag === 'ext' && inPicture && attributes['cx'] !== undefined) {
        inPicture = false
        if (Number(attributes['cx']) >= leastExtent.width && Number(attributes['cy']) >= leastExtent.height) pictures += 1
      }
    },
    close(name) {
      const tag = local(name)
      if (tag === 'row' && isFrom) row = Number(number) + 1 || 1
      else if (tag === 'from') isFrom = false
    },
    text(data) {
      number += data
    },
  })
  return { charts, pictures }
}
