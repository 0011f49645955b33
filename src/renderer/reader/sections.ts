import { useEffect, useState } from 'react'
import type { DocumentRow, Passage, Section } from '../../contract/library.ts'
import type { ErrorValue } from '../../contract/errors.ts'
import { client } from '../client.ts'
import { problemOf } from '../problem.ts'

const pageSize = 1000
const most = 60_000

export interface Loaded<Item> {
  items: Item[]
  total: number | null
  problem: ErrorValue | null
}

/** All parts of something the core gives a page at a time; what has come is shown while the rest comes. */
function useParts<Item>(
  { id, modifiedAt, characters, passages }: DocumentRow,
  load: (offset: number, signal: AbortSignal) => Promise<{ total: number; items: Item[] }>,
): Loaded<Item> {
  const [state, setState] = useState<Loaded<Item> & { of: number }>({ items: [], total: null, problem: null, of: id })
  const key = `${id} ${modifiedAt} ${characters} ${passages}`
  useEffect(() => {
    const stop = new AbortController()
    async function run() {
      let items: Item[] = []
      try {
        for (;;) {
          const part = await load(items.length, stop.signal)
          items = [...items, ...part.items]
          if (stop.signal.aborted) return
          setState({ items, total: part.total, problem: null, of: id })
          if (part.items.length === 0 || items.length >= part.total || items.length >= most) return
        }
      } catch (error) {
        if (!stop.signal.aborted) setState({ items, total: items.length, problem: problemOf(error), of: id })
      }
    }
    void run()
    return () => stop.abort()
    // The loader is made anew at each render; what it loads is named by the key.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [key])
  // What was read before stays until what is read now has come.
  return state.of === id ? state : { items: [], total: null, problem: null }
}

export function useSections(document: DocumentRow): Loaded<Section> {
  const documentId = document.id
  return useParts(document, async (offset, signal) => {
    const { total, sections } = await client.documents.sections({ documentId, offset, limit: pageSize }, { signal })
    return { total, items: sections }
  })
}

export function usePassages(document: DocumentRow): Loaded<Passage> {
  const documentId = document.id
  return useParts(document, async (offset, signal) => {
    const { total, passages } = await client.documents.passages({ documentId, offset, limit: pageSize }, { signal })
    return { total, items: passages }
  })
}
