import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useRef } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { showVersion, useConversation } from '../state/conversation.ts'

/** Leads from one version of a question to the others, each with what came after it. What is looked at stays where it is. */
export function Versions({ turnId }: { turnId: string }) {
  const { t } = useTranslation()
  const versions = useConversation((state) => state.versions[turnId])
  const bar = useRef<HTMLDivElement>(null)
  if (versions === undefined) return null
  const at = versions.indexOf(turnId)
  function go(step: 1 | -1) {
    const to = versions?.[at + step]
    const scroller = bar.current?.closest('[data-scroller]')
    const top = bar.current?.getBoundingClientRect().top
    if (to === undefined) return
    flushSync(() => showVersion(to))
    const shown = document.querySelector(`[data-versions="${CSS.escape(to)}"]`)
    if (shown === null || scroller === null || scroller === undefined || top === undefined) return
    scroller.scrollTop += shown.getBoundingClientRect().top - top
    const buttons = [...shown.querySelectorAll('button')]
    const same = buttons[step === 1 ? 1 : 0]
    ;(same?.disabled === true ? buttons.find((each) => !each.disabled) : same)?.focus({ preventScroll: true })
  }
  return (
    <div
      ref={bar}
      role="group"
      aria-label={t('ask.versions')}
      data-versions={turnId}
      className="-mt-4 mb-4 flex items-center justify-end gap-0.5 text-small text-ink-2"
    >
      <button type="button" className="icon-button size-6.5" aria-label={t('ask.versionBefore')} disabled={at === 0} onClick={() => go(-1)}>
        <ChevronLeft size={15} strokeWidth={1.7} />
      </button>
      <span className="tabular-nums">{t('ask.versionOf', { at: at + 1, count: versions.length })}</span>
      <button
        type="button"
        className="icon-button size-6.5"
        aria-label={t('ask.versionAfter')}
        disabled={at === versions.length - 1}
        onClick={() => go(1)}
      >
        <ChevronRight size={15} strokeWidth={1.7} />
      </button>
    </div>
  )
}
