import { useCallback, useEffect, useRef, useState } from 'react'
import type { DocumentKind, DocumentRow, DocumentSort, DocumentStatus } from '../../contract/library.ts'
import type { ErrorValue } from '../../contract/errors.ts'
import { client, useConnection } from '../client.ts'
import { usePaced } from '../parts/use-paced.ts'
import { problemOf } from '../problem.ts'

export interface DocumentFilter {
  folderId: number | null
  statuses: DocumentStatus[]
  kinds: DocumentKind[]
  name: string
  modifiedFrom: number | null
  modifiedBefore: number | null
  leastBytes?: number
  lessThanBytes?: number
  order: { by: DocumentSort; descending: boolean } | null
}

const pageSize = 100
/** While documents are being read, what is in sight is asked for again this often at most. */
const refreshMs = 1200

export interface Documents {
  total: number | null
  problem: ErrorValue | null
  row: (index: number) => DocumentRow | undefined
  /** Says which rows are in sight. */
  look: (first: number, last: number) => void
  again: () => void
}

/** Rows by their number, loaded a page at a time as they come into sight; `changing` says that they may have changed. */
export function useDocuments(filter: DocumentFilter, changing: string): Documents {
  const generation = useConnection((connection) => connection.generation)
  // What could not be asked for while the core was lost is asked for when it is back.
  const version = usePaced(`${generation} ${changing}`, refreshMs)
  const key = JSON.stringify(filter)
  const [, draw] = useState(0)
  const [total, setTotal] = useState<{ key: string; value: number } | null>(null)
  const [problem, setProblem] = useState<ErrorValue | null>(null)
  const pages = useRef(new Map<number, DocumentRow[]>())
  /** The version that each page was last asked for at. */
  const asked = useRef(new Map<number, string>())
  /** The number of the request that each page is from: an answer that was overtaken is let go. */
  const shown = useRef(new Map<number, number>())
  const requests = useRef(0)
  const sight = useRef<[number, number]>([0, 0])
  const keyNow = useRef(key)
  const rowsOf = useRef(key)
  const latest = useRef(filter)
  useEffect(() => {
    latest.current = filter
  })

  const load = useCallback(
    async (page: number) => {
      if (asked.current.get(page) === version) return
      asked.current.set(page, version)
      const request = (requests.current += 1)
      const { folderId, statuses, kinds, name, modifiedFrom, modifiedBefore, leastBytes, lessThanBytes, order } = latest.current
      try {
        const result = await client.documents.list({
          offset: page * pageSize,
          limit: pageSize,
          ...(folderId === null ? {} : { folderId }),
          ...(statuses.length === 0 ? {} : { statuses }),
          ...(kinds.length === 0 ? {} : { kinds }),
          ...(name.trim() === '' ? {} : { name: name.trim() }),
          ...(modifiedFrom === null ? {} : { modifiedFrom }),
          ...(modifiedBefore === null ? {} : { modifiedBefore }),
          ...(leastBytes === undefined ? {} : { leastBytes }),
          ...(lessThanBytes === undefined ? {} : { lessThanBytes }),
          ...(order === null ? {} : { sort: order.by, descending: order.descending }),
        })
        if (keyNow.current !== key || (shown.current.get(page) ?? 0) > request) return
        // The rows of another filter stay in sight until the first of these are there.
        if (rowsOf.current !== key) {
          rowsOf.current = key
          pages.current = new Map()
        }
        shown.current.set(page, request)
        pages.current.set(page, result.documents)
        setProblem(null)
        setTotal({ key, value: result.total })
        draw((count) => count + 1)
      } catch (error) {
        if (asked.current.get(page) === version) asked.current.delete(page)
        if (keyNow.current === key) setProblem(problemOf(error))
      }
    },
    [key, version],
  )

  const look = useCallback(
    (first: number, last: number) => {
      sight.current = [first, last]
      for (let page = Math.floor(first / pageSize); page <= Math.floor(last / pageSize); page += 1) void load(page)
    },
    [load],
  )

  useEffect(() => {
    keyNow.current = key
    asked.current = new Map()
    sight.current = [0, 0]
  }, [key])

  useEffect(() => {
    const timer = setTimeout(() => {
      const [first, last] = sight.current.map((row) => Math.floor(row / pageSize)) as [number, number]
      for (const page of pages.current.keys()) {
        if (page >= first && page <= last) continue
        pages.current.delete(page)
        asked.current.delete(page)
      }
      for (let page = first; page <= last; page += 1) void load(page)
    }, 60)
    return () => clearTimeout(timer)
  }, [load])

  return {
    total: total?.key === key || problem === null ? (total?.value ?? null) : null,
    problem,
    row: (index) => pages.current.get(Math.floor(index / pageSize))?.[index % pageSize],
    look,
    again: () => void load(0),
  }
}
