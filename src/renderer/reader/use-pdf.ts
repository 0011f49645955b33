import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { ReasonCode } from '../../contract/library.ts'
import { setPdfOpener, takeAhead } from './pdf-ahead.ts'
import { openPdf, passwordOpens, prepareWorker, type OpenPdf } from './pdf-library.ts'

setPdfOpener(({ documentId, page }) => openPdf(documentId, page))
prepareWorker()

/** Why pdf.js could not open a document, by the name of its exception. */
function reasonOf(error: unknown): ReasonCode {
  const name = error instanceof Error ? error.name : ''
  if (name === 'PasswordException') return 'encrypted'
  return name === 'ResponseException' || name === 'UnexpectedResponseException' || name === 'MissingPDFException' ? 'gone' : 'damaged'
}

/** `page` is the one that is wanted first. */
export function usePdf(
  documentId: number,
  version: string,
  page: number,
): { open: OpenPdf | null; reason: ReasonCode | null; unlock: (password: string) => Promise<boolean> } {
  const [unlocked, setUnlocked] = useState(0)
  const [state, setState] = useState<{ key: string; open: OpenPdf | null; reason: ReasonCode | null }>({
    key: '',
    open: null,
    reason: null,
  })
  const key = `${documentId} ${version} ${unlocked}`
  useEffect(() => {
    let alive = true
    const { opened, close } = takeAhead(documentId) ?? openPdf(documentId, page)
    opened.then(
      (open) => alive && setState({ key, open, reason: null }),
      (error: unknown) => alive && setState({ key, open: null, reason: reasonOf(error) }),
    )
    return () => {
      alive = false
      close()
    }
    // Another page of the same document needs no other opening.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [documentId, key])
  const unlock = useCallback(
    async (password: string) => {
      const opens = await passwordOpens(documentId, password)
      if (opens) setUnlocked((count) => count + 1)
      return opens
    },
    [documentId],
  )
  return state.key === key ? { ...state, unlock } : { open: null, reason: null, unlock }
}

/** The width that an element has room for, in CSS pixels; 0 before it is known. */
export function useWidth(): [React.RefObject<HTMLDivElement | null>, number] {
  const element = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    if (element.current === null) return
    setWidth(element.current.clientWidth)
    const watcher = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)))
    watcher.observe(element.current)
    return () => watcher.disconnect()
  }, [])
  return [element, width]
}
