import { FileText, MessageSquare } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ChatSummary } from '../../contract/answer.ts'
import type { DocumentRow } from '../../contract/library.ts'
import { client } from '../client.ts'
import { Dialog } from '../parts/dialog.tsx'
import { isComposing } from '../parts/keys.ts'
import { openDocument } from '../state/reader.ts'
import { go } from '../state/route.ts'
import { holds, useActions, type Entry, type PaletteDialogs } from './palette-actions.ts'

/** Chats and documents whose name holds the text. */
function useFound(text: string): { chats: ChatSummary[]; documents: DocumentRow[] } {
  const [found, setFound] = useState<{ chats: ChatSummary[]; documents: DocumentRow[] }>({ chats: [], documents: [] })
  useEffect(() => {
    const stop = new AbortController()
    const timer = setTimeout(() => {
      const query = text.trim()
      void Promise.allSettled([
        client.chats.list(query === '' ? {} : { text: query }, { signal: stop.signal }),
        query === '' ? Promise.resolve({ documents: [] }) : client.documents.list({ name: query, limit: 8 }, { signal: stop.signal }),
      ]).then(([chats, documents]) => {
        if (stop.signal.aborted) return
        setFound({
          chats: chats.status === 'fulfilled' ? chats.value.slice(0, 6) : [],
          documents: documents.status === 'fulfilled' ? documents.value.documents : [],
        })
      })
    }, 80)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [text])
  return found
}

export function Palette({ onClose, onShortcuts, onAdd }: PaletteDialogs & { onClose: () => void }) {
  const { t } = useTranslation()
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const actions = useActions({ onShortcuts, onAdd })
  const { chats, documents } = useFound(text)
  const id = useId()
  const list = useRef<HTMLUListElement>(null)
  const entries: Entry[] = [
    ...actions.filter((action) => holds(action.label, text)),
    ...documents.map((each) => ({
      id: `document-${each.id}`,
      icon: FileText,
      label: each.name,
      detail: t('common.document'),
      run: () => void openDocument(each.id, 'original'),
    })),
    ...chats.map((chat) => ({
      id: `chat-${chat.id}`,
      icon: MessageSquare,
      label: chat.title,
      detail: t('common.chat'),
      run: () => go('ask', chat.id),
    })),
  ]
  const current = Math.min(at, Math.max(0, entries.length - 1))
  useEffect(() => {
    list.current?.children[current]?.scrollIntoView({ block: 'nearest' })
  }, [current])
  function choose(entry: Entry | undefined) {
    if (entry === undefined) return
    onClose()
    entry.run()
  }
  return (
    <Dialog title={t('common.findAnything')} hideTitle onClose={onClose}>
      <input
        type="text"
        role="combobox"
        autoFocus
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={entries.length > 0 ? `${id}-${current}` : undefined}
        aria-label={t('common.findAnything')}
        className="w-full border-0 border-b border-line bg-transparent px-5 py-3.5 text-body outline-none placeholder:text-ink-3"
        placeholder={t('common.findAnythingText')}
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          setAt(0)
        }}
        onKeyDown={(event) => {
          if (isComposing(event)) return
          if (event.key === 'ArrowDown') setAt((current + 1) % Math.max(1, entries.length))
          else if (event.key === 'ArrowUp') setAt((current - 1 + entries.length) % Math.max(1, entries.length))
          else if (event.key === 'Enter') choose(entries[current])
          else return
          event.preventDefault()
        }}
      />
      <ul
        ref={list}
        id={`${id}-list`}
        role="listbox"
        aria-label={t('common.results')}
        className="min-h-0 flex-1 overflow-y-auto p-1.5 text-ui"
      >
        {entries.map((entry, index) => (
          <li
            key={entry.id}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === current}
            className="menu-item"
            onMouseMove={() => setAt(index)}
            onClick={() => choose(entry)}
          >
            <entry.icon size={16} strokeWidth={1.5} className="flex-none text-ink-2" aria-hidden="true" />
            <span className="min-w-0 flex-1 truncate">{entry.label}</span>
            {entry.detail !== undefined && <span className="text-small text-ink-2">{entry.detail}</span>}
          </li>
        ))}
      </ul>
      {entries.length === 0 && (
        <p role="status" className="px-5 pb-5 text-ui text-ink-2">
          {t('common.nothingFound')}
        </p>
      )}
    </Dialog>
  )
}
