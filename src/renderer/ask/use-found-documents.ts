import { useEffect, useState } from 'react'
import type { DocumentRow } from '../../contract/library.ts'
import { client } from '../client.ts'

const pauseMs = 120

/** Documents whose path has these words in it, soon after they were written; none for no words. */
export function useFoundDocuments(name: string, limit: number): DocumentRow[] {
  const [found, setFound] = useState<DocumentRow[]>([])
  useEffect(() => {
    const stop = new AbortController()
    const timer = setTimeout(() => {
      if (name.trim() === '') return setFound([])
      client.documents.list({ name: name.trim(), limit }, { signal: stop.signal }).then(
        ({ documents }) => setFound(documents),
        () => setFound([]),
      )
    }, pauseMs)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [name, limit])
  return found
}
