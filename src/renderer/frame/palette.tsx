import {
  Archive,
  Bookmark,
  Bot,
  ChartScatter,
  Cpu,
  FileText,
  FileUp,
  Globe,
  HeartPulse,
  Keyboard,
  LibraryBig,
  MessageSquare,
  Moon,
  Plus,
  Plug,
  Settings,
  Wrench,
  type LucideIcon,
} from 'lucide-react'
import { useEffect, useId, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ChatSummary, TurnMode } from '../../contract/answer.ts'
import type { DocumentRow } from '../../contract/library.ts'
import { client } from '../client.ts'
import { Dialog } from '../parts/dialog.tsx'
import { isComposing } from '../parts/keys.ts'
import { pickFile } from '../parts/pick-file.ts'
import { importChat } from '../state/chats.ts'
import { switchMode, useConversation } from '../state/conversation.ts'
import { openDocument } from '../state/reader.ts'
import { go } from '../state/route.ts'
import { patchSettings } from '../state/settings.ts'

interface Entry {
  id: string
  icon: LucideIcon
  label: string
  detail?: string
  run: () => void
}

/** Switches the composer of the open chat, and goes there. */
function begin(mode: TurnMode): void {
  go('ask', useConversation.getState().chatId)
  switchMode(mode)
  requestAnimationFrame(() => document.getElementById('composer')?.focus())
}

function useActions(onShortcuts: () => void): Entry[] {
  const { t, i18n } = useTranslation()
  return useMemo(
    () => [
      { id: 'new', icon: Plus, label: t('ask.newChat'), run: () => go('ask') },
      { id: 'ask', icon: MessageSquare, label: t('common.ask'), run: () => go('ask') },
      { id: 'library', icon: LibraryBig, label: t('common.library'), run: () => go('library') },
      { id: 'models', icon: Cpu, label: t('common.models'), run: () => go('models') },
      { id: 'evaluate', icon: ChartScatter, label: t('common.evaluate'), run: () => go('evaluate') },
      { id: 'memory', icon: Bookmark, label: t('common.memory'), run: () => go('memory') },
      { id: 'settings', icon: Settings, label: t('common.settings'), run: () => go('settings') },
      { id: 'agent', icon: Bot, label: t('agent.askAgent'), run: () => begin('agent') },
      { id: 'answer', icon: MessageSquare, label: t('agent.askAnswer'), run: () => begin('answer') },
      { id: 'shortcuts', icon: Keyboard, label: t('common.shortcuts'), detail: '?', run: onShortcuts },
      { id: 'import', icon: FileUp, label: t('ask.importJson'), run: () => pickFile('.json,application/json', importChat) },
      { id: 'tools', icon: Wrench, label: t('tools.title'), run: () => go('settings', 'tools') },
      { id: 'mcp', icon: Plug, label: t('tools.servers'), run: () => go('settings', 'mcp') },
      { id: 'limits', icon: Settings, label: t('agent.limits'), run: () => go('settings', 'agent') },
      { id: 'network', icon: Globe, label: `${t('settings.network')} · ${t('settings.offline')}`, run: () => go('settings', 'network') },
      { id: 'health', icon: HeartPulse, label: t('settings.health'), run: () => go('settings', 'health') },
      { id: 'backups', icon: Archive, label: t('settings.backups'), run: () => go('settings', 'backups') },
      {
        id: 'theme',
        icon: Moon,
        label: t('common.otherTheme'),
        run: () => void patchSettings({ theme: document.documentElement.dataset['theme'] === 'dark' ? 'light' : 'dark' }),
      },
      {
        id: 'language',
        icon: Globe,
        label: t('common.otherLanguage'),
        run: () => void patchSettings({ language: i18n.language === 'zh' ? 'en' : 'zh' }),
      },
    ],
    [t, i18n.language, onShortcuts],
  )
}

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

export function Palette({ onClose, onShortcuts }: { onClose: () => void; onShortcuts: () => void }) {
  const { t } = useTranslation()
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const actions = useActions(onShortcuts)
  const { chats, documents } = useFound(text)
  const id = useId()
  const list = useRef<HTMLUListElement>(null)
  const wanted = text.trim().toLowerCase()
  const entries: Entry[] = [
    ...actions.filter((action) => action.label.toLowerCase().includes(wanted)),
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
