import { FileUp, Plus, Search } from 'lucide-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import type { ChatSummary } from '../../contract/answer.ts'
import { pickFile } from '../parts/pick-file.ts'
import { EmptyPanel, LoadingPanel, ProblemPanel } from '../parts/state-panel.tsx'
import { importChat, loadChats, searchChats, useChats } from '../state/chats.ts'
import { go, useRoute } from '../state/route.ts'
import { ChatRow } from './chat-row.tsx'

const day = 86_400_000
const ages = ['today', 'yesterday', 'week', 'month', 'older'] as const
type Age = (typeof ages)[number]

function ageOf(at: number, now: number): Age {
  const midnight = new Date(now).setHours(0, 0, 0, 0)
  if (at >= midnight) return 'today'
  if (at >= midnight - day) return 'yesterday'
  if (at >= midnight - 6 * day) return 'week'
  return at >= midnight - 30 * day ? 'month' : 'older'
}

function grouped(chats: ChatSummary[]): [Age, ChatSummary[]][] {
  const now = Date.now()
  return ages
    .map((age): [Age, ChatSummary[]] => [age, chats.filter((chat) => ageOf(chat.updatedAt, now) === age)])
    .filter(([, members]) => members.length > 0)
}

export function ChatList({ floating, onDone }: { floating: boolean; onDone: () => void }) {
  const { t } = useTranslation()
  const { chats, text, problem } = useChats()
  const open = useRoute((route) => route.chatId)
  useEffect(() => {
    void loadChats()
  }, [])
  return (
    <aside
      aria-label={t('ask.chats')}
      className={`flex w-62 flex-none flex-col border-e border-line bg-paper ${floating ? 'absolute inset-y-0 start-0 z-20 shadow-sheet' : ''}`}
    >
      <div className="flex gap-2 px-3 pt-4 pb-2">
        <div className="relative min-w-0 flex-1">
          <Search size={14} strokeWidth={1.6} className="pointer-events-none absolute start-2.5 top-2.5 text-ink-3" aria-hidden="true" />
          <input
            type="search"
            className="field ps-8"
            placeholder={t('ask.searchChats')}
            aria-label={t('ask.searchChats')}
            value={text}
            onChange={(event) => searchChats(event.target.value)}
          />
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
        <button
          type="button"
          className="icon-button -ms-1 mt-0.5"
          aria-label={t('ask.importJson')}
          title={t('ask.importJson')}
          onClick={() => pickFile('.json,application/json', importChat)}
        >
          <FileUp size={16} strokeWidth={1.6} />
        </button>
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto px-3 pb-4">
        {chats === null && problem === null && <LoadingPanel />}
        {chats === null && problem !== null && <ProblemPanel problem={problem} onRetry={() => void loadChats()} />}
        {chats?.length === 0 &&
          (text === '' ? (
            <EmptyPanel title={t('ask.noChats')}>{t('ask.noChatsText')}</EmptyPanel>
          ) : (
            <EmptyPanel title={t('ask.noChatFound')} />
          ))}
        {grouped(chats ?? []).map(([age, members]) => (
          <section key={age} aria-label={t(`ask.${age}`)}>
            <h3 className="px-2.5 pt-4 pb-1.5 text-tiny text-ink-3">{t(`ask.${age}`)}</h3>
            <ul>
              {members.map((chat) => (
                <ChatRow key={chat.id} chat={chat} current={chat.id === open} onOpen={onDone} />
              ))}
            </ul>
          </section>
        ))}
      </div>
    </aside>
  )
}
