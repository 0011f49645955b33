import { useCallback, useEffect, useRef, useState } from 'react'
import type { DocumentKind, DocumentRow, DocumentStatus } from '../../contract/library.ts'
import type { ErrorValue } from '../../contract/errors.ts'
import { client } from '../client.ts'
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

/** Rows by their number, loaded a page at a time as they come into sight; `version` says that they may have changed. */
export function useDocuments(filter: DocumentFilter, version: string): Documents {
  const key = JSON.stringify(filter)
  const [, draw] = useState(0)
  const [total, setTotal] = useState<{ key: string; value: number } | null>(null)
  const [problem, setProblem] = useState<ErrorValue | null>(null)
  const pages = useRef(new Map<number, DocumentRow[]>())
  const asked = useRef(new Map<number, number>())
  const sight = useRef<[number, number]>([0, 0])
  const keyNow = useRef(key)
  const latest = useRef(filter)
  useEffect(() => {
    latest.current = filter
  })

  const load = useCallback(
    async (page: number, fresh: boolean) => {
      const before = asked.current.get(page)
      if (before !== undefined && (!fresh || Date.now() - before < refreshMs)) return
      asked.current.set(page, Date.now())
      const { folderId, statuses, kinds, name, modifiedFrom, modifiedBefore, leastBytes, lessThanBytes } = latest.current
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
        })
        if (keyNow.current !== key) return
        pages.current.set(page, result.documents)
        setProblem(null)
        setTotal({ key, value: result.total })
        draw((count) => count + 1)
      } catch (error) {
        asked.current.delete(page)
        if (keyNow.current === key) setProblem(problemOf(error))
      }
    },
    [key],
  )

  const look = useCallback(
    (first: number, last: number) => {
      sight.current = [first, last]
      for (let page = Math.floor(first / pageSize); page <= Math.floor(last / pageSize); page += 1) void load(page, false)
    },
    [load],
  )

  useEffect(() => {
    keyNow.current = key
    pages.current = new Map()
    asked.current = new Map()
    sight.current = [0, 0]
    const timer = setTimeout(() => void load(0, false), 60)
    return () => clearTimeout(timer)
  }, [key, load])

  useEffect(() => {
    const timer = setTimeout(() => {
      const [first, last] = sight.current
      for (const page of pages.current.keys()) {
        if (page < Math.floor(first / pageSize) || page > Math.floor(last / pageSize)) {
          pages.current.delete(page)
          asked.current.delete(page)
        }
      }
      for (let page = Math.floor(first / pageSize); page <= Math.floor(last / pageSize); page += 1) void load(page, true)
    }, 300)
    return () => clearTimeout(timer)
  }, [version, load])

  return {
    total: total?.key === key ? total.value : null,
    problem,
    row: (index) => pages.current.get(Math.floor(index / pageSize))?.[index % pageSize],
    look,
    again: () => void load(0, false),
  }
}
