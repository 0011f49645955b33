import { Ellipsis, FileDown, FileJson, Hand, Pencil, Pin, PinOff, Trash2 } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { chatTitleCharacters, type ChatSummary } from '../../contract/answer.ts'
import { Excerpt } from '../parts/excerpt.tsx'
import { isEnter } from '../parts/keys.ts'
import { LengthNote } from '../parts/length-note.tsx'
import { markText } from '../parts/mark-words.ts'
import { exportChat, exportWholeChat, pinChat, removeChat, renameChat, useChats } from '../state/chats.ts'
import { useWaiting } from '../state/waiting.ts'

interface Props {
  chat: ChatSummary
  current: boolean
  onOpen: () => void
}

function RenameField({ chat, onDone }: { chat: ChatSummary; onDone: () => void }) {
  const { t } = useTranslation()
  const [title, setTitle] = useState(chat.title)
  const note = useId()
  const { length } = title.trim()
  const tooLong = length > chatTitleCharacters
  /** A name that is too long stays where it can be shortened. */
  function keep() {
    if (tooLong) return
    if (length > 0 && title.trim() !== chat.title) void renameChat(chat.id, title.trim())
    onDone()
  }
  return (
    <>
      <input
        className="field"
        autoFocus
        aria-label={t('ask.rename')}
        aria-invalid={tooLong}
        aria-describedby={note}
        value={title}
        onFocus={(event) => event.target.setSelectionRange(0, event.target.value.length, 'backward')}
        onChange={(event) => setTitle(event.target.value)}
        onBlur={keep}
        onKeyDown={(event) => {
          if (isEnter(event)) keep()
          else if (event.key === 'Escape') {
            event.stopPropagation()
            onDone()
          }
        }}
      />
      <LengthNote id={note} length={length} most={chatTitleCharacters} />
    </>
  )
}

export function ChatRow({ chat, current, onOpen }: Props) {
  const { t } = useTranslation()
  const searched = useChats((state) => state.text)
  const [renaming, setRenaming] = useState(false)
  const [menu, setMenu] = useState(false)
  const state = useWaiting(({ chats }) => chats[chat.id])
  const words = state === undefined ? '' : t(state === 'waiting' ? 'agent.waitsHere' : 'agent.runsHere')
  if (renaming) {
    return (
      <div className="py-0.5">
        <RenameField chat={chat} onDone={() => setRenaming(false)} />
      </div>
    )
  }
  return (
    <div className="group relative">
      <a
        href={`#/ask/${encodeURIComponent(chat.id)}`}
        aria-current={current ? 'page' : undefined}
        className={`block overflow-clip rounded-md text-ellipsis whitespace-nowrap py-1.5 ps-2.5 pe-2.5 text-ui group-focus-within:pe-8 group-hover:pe-8 no-underline ${current ? 'bg-seal-wash' : 'hover:bg-hover'}`}
        title={state === undefined ? chat.title : `${words} ${chat.title}`}
        onClick={onOpen}
        onContextMenu={(event) => {
          event.preventDefault()
          setMenu(true)
        }}
      >
        {state === 'waiting' && <Hand size={13} strokeWidth={1.8} className="me-1.5 mb-0.5 inline text-seal" aria-hidden="true" />}
        {state === 'running' && <span className="dot me-2 mb-px" data-tone="busy" aria-hidden="true" />}
        {state !== undefined && <span className="sr-only">{words}</span>}
        {chat.pinned && state === undefined && (
          <Pin size={12} strokeWidth={1.8} className="me-1.5 mb-0.5 inline text-ink-3" aria-hidden="true" />
        )}
        {chat.pinned && <span className="sr-only">{t('ask.pinnedHere')}</span>}
        <Excerpt parts={markText(chat.title, searched)} />
        {chat.excerpt !== undefined && (
          <span className="block overflow-clip text-small text-ellipsis text-ink-2" title={chat.excerpt}>
            <Excerpt parts={markText(chat.excerpt, searched)} />
          </span>
        )}
      </a>
      <DropdownMenu.Root modal={false} open={menu} onOpenChange={setMenu}>
        <DropdownMenu.Trigger asChild>
          <button
            type="button"
            className="icon-button absolute end-1 top-0.5 size-7 opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 aria-expanded:opacity-100"
            aria-label={t('ask.chatMenu', { title: chat.title })}
          >
            <Ellipsis size={16} strokeWidth={1.6} />
          </button>
        </DropdownMenu.Trigger>
        <DropdownMenu.Portal>
          <DropdownMenu.Content className="menu" align="start" sideOffset={4}>
            <DropdownMenu.Item className="menu-item" onSelect={() => void pinChat(chat.id, !chat.pinned)}>
              {chat.pinned ? (
                <PinOff size={15} strokeWidth={1.6} aria-hidden="true" />
              ) : (
                <Pin size={15} strokeWidth={1.6} aria-hidden="true" />
              )}{' '}
              {t(chat.pinned ? 'ask.unpin' : 'ask.pin')}
            </DropdownMenu.Item>
            <DropdownMenu.Item className="menu-item" onSelect={() => setTimeout(() => setRenaming(true))}>
              <Pencil size={15} strokeWidth={1.6} aria-hidden="true" /> {t('ask.rename')}
            </DropdownMenu.Item>
            <DropdownMenu.Item className="menu-item" onSelect={() => void exportChat(chat.id)}>
              <FileDown size={15} strokeWidth={1.6} aria-hidden="true" /> {t('ask.exportMarkdown')}
            </DropdownMenu.Item>
            <DropdownMenu.Item className="menu-item" onSelect={() => void exportWholeChat(chat.id)}>
              <FileJson size={15} strokeWidth={1.6} aria-hidden="true" /> {t('ask.exportJson')}
            </DropdownMenu.Item>
            <DropdownMenu.Item className="menu-item" onSelect={() => void removeChat(chat)}>
              <Trash2 size={15} strokeWidth={1.6} aria-hidden="true" /> {t('common.delete')}
            </DropdownMenu.Item>
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
    </div>
  )
}
