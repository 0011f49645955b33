const catalogMark = '/Catalog'
/** Each change that was saved may have written one more; the last counts. */
const mostCatalogs = 1000
/** Between the number of the catalog's object and its type. */
const reachBytes = 2048

/**
 * A document that was cut short has lost the end that says where its parts are: with a new one that names its catalog, the
 * engines look for the parts themselves. Null when no catalog is left in sight.
 */
export function mended(source: Buffer): Buffer | null {
  let root: string | null = null
  let looked = 0
  for (let at = source.indexOf(catalogMark); at !== -1 && looked < mostCatalogs; at = source.indexOf(catalogMark, at + 1), looked++) {
    const before = source.subarray(Math.max(0, at - reachBytes), at).toString('latin1')
    const object = before.lastIndexOf(' obj')
    if (object !== -1) root = /\d{1,9} \d{1,5}$/.exec(before.slice(Math.max(0, object - 16), object))?.[0] ?? root
  }
  return root === null ? null : Buffer.concat([source, Buffer.from(`\nendstream\nendobj\ntrailer\n<< /Root ${root} R >>\n%%EOF\n`)])
}
