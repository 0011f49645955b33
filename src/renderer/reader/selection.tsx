import { MessageSquareQuote } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DocumentRow } from '../../contract/library.ts'
import { askAbout } from './ask-about.ts'

interface Selected {
  text: string
  left: number
  top: number
}

/** What is selected in the reader's body; null outside of it. */
function readSelection(): Selected | null {
  const selection = window.getSelection()
  const body = window.document.getElementById('reader-body')
  if (selection === null || selection.isCollapsed || selection.rangeCount === 0 || body === null) return null
  const range = selection.getRangeAt(0)
  if (!body.contains(range.commonAncestorContainer)) return null
  const text = selection
    .toString()
    .replace(/[ \t]+/g, ' ')
    .trim()
  if (text === '') return null
  const frame = body.getBoundingClientRect()
  const box = range.getBoundingClientRect()
  return {
    text,
    left: Math.min(Math.max(box.left + box.width / 2, frame.left + 90), frame.right - 90),
    top: Math.min(Math.max(box.bottom + 8, frame.top + 8), frame.bottom - 44),
  }
}

/** Beside a selection: takes it into a question about this document. */
export function AskSelection({ document }: { document: DocumentRow }) {
  const { t } = useTranslation()
  const [selected, setSelected] = useState<Selected | null>(null)
  useEffect(() => {
    let timer = 0
    function look() {
      clearTimeout(timer)
      // Not while the pointer still draws it.
      timer = window.setTimeout(() => setSelected(readSelection()), 150)
    }
    window.document.addEventListener('selectionchange', look)
    window.addEventListener('scroll', look, true)
    return () => {
      clearTimeout(timer)
      window.document.removeEventListener('selectionchange', look)
      window.removeEventListener('scroll', look, true)
    }
  }, [])
  if (selected === null) return null
  return (
    <button
      type="button"
      className="button button-small fixed z-40 -translate-x-1/2 shadow-sheet"
      style={{ left: selected.left, top: selected.top }}
      // A press would take the selection away before the click.
      onPointerDown={(event) => event.preventDefault()}
      onClick={() => {
        window.getSelection()?.removeAllRanges()
        askAbout(document, selected.text)
      }}
    >
      <MessageSquareQuote size={14} strokeWidth={1.7} aria-hidden="true" /> {t('library.askSelection')}
    </button>
  )
}
