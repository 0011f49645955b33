import { readXml } from './xml.ts'
import type { Zip } from './zip.ts'

/** What a part of a package says of another part of it (ECMA-376 part 2, 9.3). */
export interface Relation {
  type: string
  /** The name of the other part in the package. */
  target: string
}

/** The relations of a part, by their id; of the package itself for the empty name. What leads out of the package is left out. */
export async function relationsOf(zip: Zip, part: string): Promise<ReadonlyMap<string, Relation>> {
  const folder = part.slice(0, part.lastIndexOf('/') + 1)
  const relations = new Map<string, Relation>()
  const source = await zip.bytes(`${folder}_rels/${part.slice(folder.length)}.rels`)
  if (source !== null)
    readXml(source, {
      open(name, attributes) {
        if (name.slice(name.indexOf(':') + 1) !== 'Relationship' || attributes['TargetMode'] === 'External') return
        const target = partName(attributes['Target'] ?? '', folder)
        if (target !== null) relations.set(attributes['Id'] ?? '', { type: attributes['Type'] ?? '', target })
      },
    })
  return relations
}

function partName(target: string, folder: string): string | null {
  try {
    return decodeURIComponent(new URL(target, `file:///${folder}`).pathname.slice(1))
  } catch {
    return null
  }
}
