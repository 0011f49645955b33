import { ArrowDown } from 'lucide-react'
import { useEffect, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyPanel, LoadingPanel, ProblemPanel } from '../parts/state-panel.tsx'
import { useChats } from '../state/chats.ts'
import { openChat, useConversation } from '../state/conversation.ts'
import { go } from '../state/route.ts'
import { BranchNote } from './branch-note.tsx'
import { Composer } from './composer.tsx'
import { EngineBadge } from './engine.tsx'
import { useFollowEnd } from './follow-end.ts'
import { ImportedSign } from './imported-sign.tsx'
import { OfflineSign } from './offline-sign.tsx'
import { RemovedNote } from './removed-note.tsx'
import { TurnItem } from './turn.tsx'
import { Welcome } from './welcome.tsx'

/** So many turns at the end are there with the first picture. */
const madeAtOnce = 2

export function Conversation({ toggle }: { toggle: ReactNode }) {
  const { t } = useTranslation()
  const chatId = useConversation((state) => state.chatId)
  const phase = useConversation((state) => state.phase)
  const problem = useConversation((state) => state.problem)
  const ownTitle = useConversation((state) => state.title)
  // The list has it shortened, or as another window named it.
  const title = useChats((state) => state.chats?.find(({ id }) => id === chatId)?.title) ?? ownTitle
  const turnIds = useConversation((state) => state.turnIds)
  const { scroller, content, atEnd, toEnd, toStart } = useFollowEnd()
  const wanted = useConversation((state) => state.toEnd)
  const count = turnIds.length
  const none = count === 0
  useEffect(() => {
    if (none) toStart()
    else toEnd()
  }, [wanted, none, toEnd, toStart])
  const fresh = phase === 'ready' && count === 0
  return (
    <main className="relative flex min-w-0 flex-1 flex-col" aria-label={t('common.ask')}>
      <header className="flex h-13 flex-none items-center gap-3 border-b border-line px-8 text-small text-ink-2 max-[1000px]:px-5 low:h-9">
        {toggle}
        <h1 className="min-w-0 flex-1 truncate text-[14.5px] font-semibold text-ink">{title === '' ? t('ask.newChat') : title}</h1>
        <ImportedSign turnId={turnIds[0]} />
        <OfflineSign />
        <EngineBadge />
      </header>
      <div ref={scroller} data-scroller="" className="min-h-0 flex-1 [container-type:size] overflow-y-auto" tabIndex={-1}>
        <div ref={content} className="mx-auto w-full max-w-[820px] px-8 pt-7 pb-4 max-[1000px]:px-5 low:pt-3">
          {phase === 'loading' && <LoadingPanel />}
          {phase === 'failed' && problem?.code === 'not-found' && (
            <EmptyPanel title={t('ask.chatGone')}>
              <button type="button" className="button" onClick={() => go('ask')}>
                {t('ask.newChat')}
              </button>
            </EmptyPanel>
          )}
          {phase === 'failed' && problem !== null && problem.code !== 'not-found' && (
            <ProblemPanel problem={problem} onRetry={() => void openChat(chatId)} />
          )}
          {fresh && <Welcome />}
          {turnIds.map((id, index) => (
            <TurnItem key={id} turnId={id} last={index === count - 1} now={index >= count - madeAtOnce} />
          ))}
          <BranchNote />
        </div>
      </div>
      <div data-foot="" className="flex-none">
        {!atEnd && !fresh && (
          <div className="flex flex-none justify-center pt-1 pb-2 low:pt-0 low:pb-1">
            <button type="button" className="button button-small rounded-full" onClick={toEnd}>
              <ArrowDown size={14} strokeWidth={1.8} aria-hidden="true" /> {t('ask.toEnd')}
            </button>
          </div>
        )}
        <RemovedNote />
        <Composer onAsk={toEnd} />
      </div>
    </main>
  )
}
