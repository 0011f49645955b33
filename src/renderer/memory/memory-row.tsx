import { Pencil, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Memory } from '../../contract/memory.ts'
import { useFormat } from '../format.ts'
import { IconButton } from '../parts/icon-button.tsx'
import { isEnter } from '../parts/keys.ts'
import { useChats } from '../state/chats.ts'
import { removeMemory, updateMemory } from '../state/memories.ts'
import { longestMemory, TooLong } from './too-long.tsx'

function EditField({ memory, onDone }: { memory: Memory; onDone: () => void }) {
  const { t } = useTranslation()
  const [text, setText] = useState(memory.text)
  const kept = text.trim()
  const tooLong = kept.length > longestMemory
  function keep() {
    if (tooLong) return
    if (kept !== '' && kept !== memory.text) void updateMemory(memory.id, kept)
    onDone()
  }
  return (
    <form
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        keep()
      }}
    >
      <textarea
        className="field min-h-16"
        autoFocus
        aria-invalid={tooLong}
        aria-label={t('memory.text')}
        value={text}
        onFocus={(event) => event.target.setSelectionRange(text.length, text.length)}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (isEnter(event)) {
            event.preventDefault()
            keep()
          } else if (event.key === 'Escape') {
            event.stopPropagation()
            onDone()
          }
        }}
      />
      <TooLong length={kept.length} />
      <div className="flex justify-end gap-2">
        <button type="button" className="button button-small" onClick={onDone}>
          {t('common.cancel')}
        </button>
        <button type="submit" className="button button-small button-primary" disabled={kept === '' || tooLong}>
          {t('common.save')}
        </button>
      </div>
    </form>
  )
}

function Source({ memory }: { memory: Memory }) {
  const { t } = useTranslation()
  const { from, chatId } = memory.source
  const title = useChats((state) => state.chats?.find((chat) => chat.id === chatId)?.title)
  if (from !== 'chat') return <span>{t(`memory.from.${from}`)}</span>
  if (chatId === null || title === undefined) return <span>{t('memory.fromGone')}</span>
  return (
    <a
      href={`#/ask/${encodeURIComponent(chatId)}`}
      className="max-w-70 truncate underline decoration-line-2 underline-offset-3 hover:decoration-seal"
      title={title}
    >
      {t('memory.fromChat', { title })}
    </a>
  )
}

/** The same button of the row after or before, or else the field above: this row is about to go. */
function focusBeside(button: HTMLElement): void {
  const row = button.closest('li')
  const beside = (row?.nextElementSibling ?? row?.previousElementSibling)?.querySelector<HTMLElement>('button:last-of-type')
  const target = beside ?? document.querySelector<HTMLElement>('main form input')
  target?.focus()
}

/** One thing that is remembered, editable in its place. */
export function MemoryRow({ memory }: { memory: Memory }) {
  const { t } = useTranslation()
  const format = useFormat()
  const [editing, setEditing] = useState(false)
  const pencil = useRef<HTMLButtonElement>(null)
  return (
    <li className="border-b border-line px-5 py-3 last:border-b-0">
      {editing ? (
        <EditField
          memory={memory}
          onDone={() => {
            setEditing(false)
            requestAnimationFrame(() => pencil.current?.focus())
          }}
        />
      ) : (
        <div className="flex items-start gap-3">
          <div className="min-w-0 flex-1">
            <p className="text-ui [overflow-wrap:anywhere] whitespace-pre-wrap">{memory.text}</p>
            <p className="mt-0.5 flex flex-wrap items-center gap-x-3 text-small text-ink-2">
              <span className="tag">{t(`memory.kind.${memory.kind}`)}</span>
              <Source memory={memory} />
              <span>{format.date(memory.updatedAt)}</span>
              <span>{memory.uses === 0 ? t('memory.unused') : t('memory.uses', { count: memory.uses })}</span>
            </p>
          </div>
          <IconButton
            label={t('memory.edit', { text: memory.text })}
            title={t('memory.editShort')}
            ref={pencil}
            onClick={() => setEditing(true)}
          >
            <Pencil size={15} strokeWidth={1.6} />
          </IconButton>
          <IconButton
            label={t('memory.remove', { text: memory.text })}
            title={t('common.delete')}
            onClick={(event) => {
              focusBeside(event.currentTarget)
              void removeMemory(memory)
            }}
          >
            <Trash2 size={15} strokeWidth={1.6} />
          </IconButton>
        </div>
      )}
    </li>
  )
}
