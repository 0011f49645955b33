import { Bookmark, ChartScatter, Cpu, LibraryBig, MessageSquare, Search, Settings, type LucideIcon } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useConversation } from '../state/conversation.ts'
import { useDraft } from '../state/draft.ts'
import { useLibrary } from '../state/library.ts'
import { useWaiting } from '../state/waiting.ts'
import { go, screens, useRoute, type Screen } from '../state/route.ts'

const icons: Record<Screen, LucideIcon> = {
  ask: MessageSquare,
  library: LibraryBig,
  models: Cpu,
  evaluate: ChartScatter,
  memory: Bookmark,
  settings: Settings,
}

/** The chat that one was in, else one that waits or works. */
function chatToReturnTo(): string | null {
  const open = useConversation.getState().chatId
  // Whoever has begun to write goes back to that.
  if (open !== null || useDraft.getState().text !== '' || useRoute.getState().screen === 'ask') return open
  const goingOn = Object.entries(useWaiting.getState().chats).sort(([, one]) => (one === 'waiting' ? -1 : 1))
  return goingOn[0]?.[0] ?? null
}

const itemShape = 'relative w-15 flex-none rounded-md pt-2.25 pb-1.75 text-center text-tiny low:py-1'
const iconShape = 'mx-auto mb-0.75 low:mb-0 low:size-4'

function Item({ screen, busy }: { screen: Screen; busy?: string | undefined }) {
  const { t } = useTranslation()
  const current = useRoute((route) => route.screen)
  const Icon = icons[screen]
  const on = current === screen
  return (
    <a
      href={`#/${screen}`}
      aria-current={on ? 'page' : undefined}
      onClick={(event) => {
        if (screen !== 'ask' || event.ctrlKey || event.metaKey || event.shiftKey) return
        event.preventDefault()
        go('ask', chatToReturnTo())
      }}
      className={`${itemShape} no-underline ${on ? 'bg-sheet text-ink ring-1 ring-line' : 'text-ink-2 hover:bg-hover hover:text-ink'}`}
    >
      <Icon size={20} strokeWidth={1.5} className={iconShape} aria-hidden="true" />
      {t(`common.${screen}`)}
      {busy !== undefined && <span className="dot absolute end-3 top-1.5" data-tone="busy" title={busy} />}
    </a>
  )
}

export function Rail({ onPalette }: { onPalette: () => void }) {
  const { t } = useTranslation()
  const phase = useLibrary((state) => state.progress?.phase)
  const waiting = useWaiting((state) => Object.values(state.chats).includes('waiting'))
  const busy = phase === 'scanning' || phase === 'reading' || phase === 'embedding' || phase === 'recognising' || phase === 'transcribing'
  const badges: Partial<Record<Screen, string | undefined>> = {
    ask: waiting ? t('agent.waitsHere') : undefined,
    library: busy ? t('library.working') : undefined,
  }
  return (
    <nav
      aria-label={t('common.mainNavigation')}
      className="flex w-19 flex-none flex-col items-center gap-1.5 border-e border-line bg-sunk py-4.5 low:gap-0.5 low:overflow-y-auto low:py-1.5"
    >
      <span
        className="mb-4 flex-none rounded-sm border-[1.5px] border-seal px-1.25 py-1.5 font-serif text-[21px] leading-none font-semibold tracking-[1px] whitespace-nowrap text-seal low:hidden"
        style={{ writingMode: 'vertical-rl' }}
        role="img"
        aria-label={t('common.appTitle')}
      >
        {t('common.sealText')}
      </span>
      {screens
        .filter((screen) => screen !== 'settings')
        .map((screen) => (
          <Item key={screen} screen={screen} busy={badges[screen]} />
        ))}
      <span className="flex-1" />
      <button
        type="button"
        className={`${itemShape} border-0 bg-transparent text-ink-2 hover:bg-hover hover:text-ink`}
        aria-label={t('common.findAnything')}
        title={t('common.findAnythingText')}
        onClick={onPalette}
      >
        <Search size={20} strokeWidth={1.5} className={iconShape} aria-hidden="true" />
        {t('common.find')}
      </button>
      <Item screen="settings" />
    </nav>
  )
}
