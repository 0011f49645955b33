// Makes src/core/search/han-folding.ts from opencc-js' tables: which Han characters fold to which for the keyword index.
// Run it after an update of opencc-js: node scripts/build-han-folding.mjs
import { writeFileSync } from 'node:fs'
import { Converter } from 'opencc-js'

const steps = [Converter({ from: 't', to: 'cn' }), Converter({ from: 'tw', to: 'cn' }), Converter({ from: 'hk', to: 'cn' })]
const folding = new Map()
for (let code = 0x3400; code <= 0x9fff; code++) {
  const character = String.fromCharCode(code)
  const folded = steps.map((step) => step(character)).find((other) => other !== character && other.length === 1)
  if (folded !== undefined) folding.set(character, steps[0](folded))
}
// What something else folds to stays as it is: 麼 becomes 么, which OpenCC by itself would take for 幺.
for (const folded of new Set(folding.values())) folding.delete(folded)
const from = [...folding.keys()].join('')
const to = [...folding.values()].join('')
const target = new URL('../src/core/search/han-folding.ts', import.meta.url)
writeFileSync(
  target,
  `// Made by scripts/build-han-folding.mjs from the tables of OpenCC (Apache-2.0). Do not edit.
// prettier-ignore
export const foldedFrom = '${from}'
// prettier-ignore
export const foldedTo = '${to}'
`,
)
console.log(`${from.length} characters`)
