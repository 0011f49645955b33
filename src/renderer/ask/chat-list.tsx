import { FileUp, Plus } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Virtuoso } from 'react-virtuoso'
import type { ChatSummary } from '../../contract/answer.ts'
import { pickFiles } from '../parts/pick-files.ts'
import { SearchField } from '../parts/search-field.tsx'
import { EmptyPanel, LoadingPanel, ProblemPanel } from '../parts/state-panel.tsx'
import { importChat, loadChats, searchChats, useChats } from '../state/chats.ts'
import { go, useRoute } from '../state/route.ts'
import { ChatRow } from './chat-row.tsx'

const day = 86_400_000
const ages = ['pinned', 'today', 'yesterday', 'week', 'month', 'older'] as const
type Age = (typeof ages)[number]

function ageOf({ pinned, updatedAt: at }: ChatSummary, now: number): Age {
  if (pinned) return 'pinned'
  const midnight = new Date(now).setHours(0, 0, 0, 0)
  if (at >= midnight) return 'today'
  if (at >= midnight - day) return 'yesterday'
  if (at >= midnight - 6 * day) return 'week'
  return at >= midnight - 30 * day ? 'month' : 'older'
}

type Line = { age: Age } | { chat: ChatSummary }

/** The chats under the heading of their age, as the lines of one list. */
function linesOf(chats: ChatSummary[]): Line[] {
  const now = Date.now()
  const members = new Map<Age, ChatSummary[]>(ages.map((age) => [age, []]))
  for (const chat of chats) members.get(ageOf(chat, now))?.push(chat)
  return [...members].flatMap(([age, list]): Line[] => (list.length === 0 ? [] : [{ age }, ...list.map((chat) => ({ chat }))]))
}

/** Only the lines in sight exist, so that thousands of chats cost no more than a few. */
function Lines({ chats, scroller, onOpen }: { chats: ChatSummary[]; scroller: HTMLElement; onOpen: () => void }) {
  const { t } = useTranslation()
  const open = useRoute((route) => route.chatId)
  const lines = useMemo(() => linesOf(chats), [chats])
  return (
    <Virtuoso
      role="list"
      aria-label={t('ask.chats')}
      customScrollParent={scroller}
      data={lines}
      // A heading, which comes first, is no measure of the rows.
      defaultItemHeight={32}
      initialItemCount={Math.min(lines.length, 30)}
      increaseViewportBy={240}
      computeItemKey={(_index, line) => ('chat' in line ? line.chat.id : line.age)}
      itemContent={(_index, line) =>
        'chat' in line ? (
          <div role="listitem">
            <ChatRow chat={line.chat} current={line.chat.id === open} onOpen={onOpen} />
          </div>
        ) : (
          <h3 role="listitem" className="px-2.5 pt-4 pb-1.5 text-tiny text-ink-3">
            {t(`ask.${line.age}`)}
          </h3>
        )
      }
    />
  )
}

/** `floating`: it lies over the conversation, below the button in its head that called it and sends it away. */
export function ChatList({ floating, onDone }: { floating: boolean; onDone: () => void }) {
  const { t } = useTranslation()
  const { chats, text, problem } = useChats()
  const [scroller, setScroller] = useState<HTMLElement | null>(null)
  useEffect(() => {
    void loadChats()
  }, [])
  return (
    <aside
      aria-label={t('ask.chats')}
      className={`flex w-62 flex-none flex-col border-e border-line bg-paper ${floating ? 'absolute start-0 top-13 bottom-0 z-20 shadow-sheet low:top-9' : ''}`}
      onKeyDown={(event) => {
        if (!floating || event.key !== 'Escape' || event.defaultPrevented) return
        event.preventDefault()
        onDone()
      }}
    >
      <div className="flex gap-2 px-3 pt-4 pb-2">
        <div className="relative min-w-0 flex-1">
          <SearchField label={t('ask.searchChats')} value={text} onChange={searchChats} />
        </div>
        <button
          type="button"
          className="button button-primary w-8.5 px-0"
          aria-label={t('ask.newChat')}
          title={t('ask.newChat')}
          onClick={() => {
            go('ask')
            onDone()
            requestAnimationFrame(() => document.getElementById('composer')?.focus())
          }}
        >
          <Plus size={18} strokeWidth={1.8} />
        </button>
      </div>
      <div ref={setScroller} className="min-h-0 flex-1 overflow-y-auto px-3 pb-4">
        {chats === null && problem === null && <LoadingPanel />}
        {chats === null && problem !== null && <ProblemPanel problem={problem} onRetry={() => void loadChats()} />}
        {chats?.length === 0 &&
          (text === '' ? (
            <EmptyPanel title={t('ask.noChats')}>{t('ask.noChatsText')}</EmptyPanel>
          ) : (
            <EmptyPanel title={t('ask.noChatFound')} />
          ))}
        {chats !== null && chats.length > 0 && scroller !== null && <Lines chats={chats} scroller={scroller} onOpen={onDone} />}
      </div>
      <div className="flex-none border-t border-line px-3 py-1.5">
        <button
          type="button"
          className="button button-quiet button-small"
          aria-label={t('ask.importJson')}
          onClick={() => pickFiles('.json,application/json', importChat)}
        >
          <FileUp size={14} strokeWidth={1.6} aria-hidden="true" /> {t('ask.importJson')}
        </button>
      </div>
    </aside>
  )
}
