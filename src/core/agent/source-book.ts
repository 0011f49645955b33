import type { Source } from '../../contract/answer.ts'
import { canonicalJson } from './canonical.ts'
import type { ToolSource } from './tool.ts'

/** The sources of a turn under their numbers, in the order in which tools showed them. */
export interface SourceBook {
  cite(sources: ToolSource[]): number[]
  has(marker: number): boolean
  readonly size: number
}

export function createSourceBook(onChange: (sources: Source[], added: ToolSource[]) => void): SourceBook {
  const numbers = new Map<string, number>()
  const book: Source[] = []
  return {
    cite(sources) {
      const added: ToolSource[] = []
      const markers = sources.map((source) => {
        const key = canonicalJson([source.documentId, source.passageId, source.path, source.place])
        const known = numbers.get(key)
        if (known !== undefined) return known
        const marker = book.length + 1
        numbers.set(key, marker)
        book.push({ ...source, marker })
        added.push(source)
        return marker
      })
      if (added.length > 0) onChange([...book], added)
      return markers
    },
    has: (marker) => marker >= 1 && marker <= book.length,
    get size() {
      return book.length
    },
  }
}
