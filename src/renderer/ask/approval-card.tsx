import { ShieldQuestionMark, TriangleAlert } from 'lucide-react'
import { useEffect, useId, useLayoutEffect, useRef, useState, type MouseEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { Approval, ApprovalDecision } from '../../contract/agent.ts'
import type { ErrorValue } from '../../contract/errors.ts'
import { memoryChangingTools } from '../../contract/tools.ts'
import { useFormat } from '../format.ts'
import { ProblemText } from '../parts/problem-text.tsx'
import { Visible } from '../parts/visible.tsx'
import { useConnection } from '../client.ts'
import { approve } from '../state/conversation.ts'
import { loadServers, useServers } from '../state/mcp.ts'
import { AccessBadge } from '../tools/access.tsx'
import { callLine } from '../tools/call-line.ts'
import { siteName } from '../tools/site-name.ts'
import { useArmed } from './use-armed.ts'

/** Arguments that may not be seen whole without scrolling: how long they are is said. */
const longArguments = 600

/** Whether the focus may be taken: nobody writes, and no other approval or dialog has it. */
function nobodyIsBusy(): boolean {
  const active = document.activeElement
  if (document.querySelector('dialog[open]') !== null) return false
  if (active === null || active === document.body) return true
  if (active instanceof HTMLTextAreaElement && active.id === 'composer') return active.value === ''
  return active.closest('main') !== null && active.closest('[data-approval], input, textarea, [contenteditable], [role=menu]') === null
}

/** The next card that waits, or else the composer. */
function focusAfter(card: HTMLElement | null): void {
  const next = [...document.querySelectorAll('[data-approval]')].find((each) => each !== card)
  const target = next?.querySelector('button') ?? document.getElementById('composer')
  target?.focus({ preventScroll: true })
}

/** One call that waits for the user's word: exactly what would be done, and nothing is done until then. */
export function ApprovalCard({ turnId, approval }: { turnId: string; approval: Approval }) {
  const { t } = useTranslation()
  const { tool, access, site, dangerous } = approval
  const servers = useServers((state) => state.servers)
  const open = useConnection((connection) => connection.state === 'open')
  const touched = siteName(approval, servers, t)
  const threat = memoryChangingTools.has(tool) ? 'memory' : access
  const format = useFormat()
  const exact = JSON.stringify(approval.arguments, null, 2)
  const [busy, setBusy] = useState<ApprovalDecision | null>(null)
  const [problem, setProblem] = useState<ErrorValue | null>(null)
  const card = useRef<HTMLElement>(null)
  const refuse = useRef<HTMLButtonElement>(null)
  const id = useId()
  const { armed, counts } = useArmed(card, () => {
    const free = nobodyIsBusy()
    if (free) refuse.current?.focus({ preventScroll: true })
    return free
  })
  const off = busy !== null || !armed || !open
  useEffect(() => {
    if (useServers.getState().servers === null) void loadServers()
  }, [])
  // Another window answered, or the turn ended: the focus goes on with what comes next.
  useLayoutEffect(() => {
    const element = card.current
    return () => {
      if (element?.contains(document.activeElement) === true) requestAnimationFrame(() => focusAfter(null))
    }
  }, [])
  async function decide(decision: ApprovalDecision, event: MouseEvent) {
    if (busy !== null || !open || !counts(event)) return
    setBusy(decision)
    setProblem(null)
    const failed = await approve(turnId, approval, decision)
    setProblem(failed)
    // What was taken stays taken: the card goes when the turn says so.
    if (failed !== null) setBusy(null)
    else focusAfter(card.current)
  }
  const choices = dangerous ? (['once'] as const) : (['once', 'chat', 'always'] as const)
  const Sign = dangerous ? TriangleAlert : ShieldQuestionMark
  return (
    <section
      ref={card}
      data-approval=""
      aria-labelledby={`${id}-title`}
      className={`appear my-2 flex max-h-[max(10rem,min(36rem,100cqh-3.5rem))] flex-col overflow-y-auto rounded-[10px] border bg-sheet [@container_(max-height:13rem)]:max-h-none [@container_(max-height:13rem)]:overflow-visible ${dangerous ? 'border-bad' : 'border-line-2'}`}
    >
      <header className="flex flex-none items-start gap-3 px-4 pt-3 pb-2 low:pt-2 low:pb-1">
        <Sign size={18} strokeWidth={1.6} className={`mt-0.5 flex-none ${dangerous ? 'text-bad' : 'text-seal'}`} aria-hidden="true" />
        <div className="min-w-0 flex-1">
          <p className="text-small text-ink-2">
            {t('agent.approval.asks')} {dangerous && <b className="font-semibold text-bad">{t('agent.approval.danger')}</b>}
          </p>
          {/* What is cut here stands whole among the arguments. */}
          <h3 id={`${id}-title`} className="line-clamp-2 text-ui font-semibold [overflow-wrap:anywhere]">
            <Visible text={callLine(approval, t)} />
          </h3>
        </div>
        <AccessBadge access={access} />
      </header>
      <dl className="grid flex-none grid-cols-[max-content_minmax(0,1fr)] gap-x-4 gap-y-1 px-4 text-small">
        <dt className="text-ink-3">{t('agent.call.tool')}</dt>
        <dd className="font-mono [overflow-wrap:anywhere]">
          <Visible text={tool} />
        </dd>
        <dt className="text-ink-3">{t('agent.approval.touches')}</dt>
        <dd className="[overflow-wrap:anywhere]">{site === '' ? t(`agent.approval.noSite.${access}`) : <Visible text={touched} />}</dd>
        <dt className="text-ink-3">{t('agent.approval.why')}</dt>
        <dd>{t(`agent.approval.whyText.${access}`)}</dd>
      </dl>
      <div className="min-h-10 shrink overflow-y-auto px-4 pt-1 text-small">
        <p className="pt-1 text-ink-3" id={`${id}-arguments`}>
          {t('agent.call.arguments')}
          {exact.length > longArguments && (
            <span className="text-ink">{` · ${t('agent.call.characters', { count: exact.length, characters: format.count(exact.length) })}`}</span>
          )}
        </p>
        <pre className="exact max-h-none!" tabIndex={0} aria-labelledby={`${id}-arguments`}>
          <Visible text={exact} />
        </pre>
        {dangerous && (
          <div className="bottom-0 bg-sheet pt-3 [@container_(min-height:24rem)]:sticky">
            <p className="rounded-md bg-warn-wash px-3 py-2 text-ink">
              <Visible text={t(`agent.approval.dangerText.${threat}`, { site: site === '' ? tool : touched })} />
            </p>
          </div>
        )}
      </div>
      {!open && (
        <p role="status" className="flex-none px-4 pt-2 text-small text-ink-2">
          {t('agent.approval.noConnection')}
        </p>
      )}
      {problem !== null && open && (
        <p role="alert" className="flex-none px-4 pt-2 text-small text-bad">
          {problem.code === 'network' ? t('agent.approval.notSent') : <ProblemText problem={problem} />}
        </p>
      )}
      {/* In sight also where the window is too low for the rest: that is scrolled behind them, in the card or with the chat. */}
      <div className="sticky bottom-0 flex flex-none flex-wrap items-center gap-2 rounded-b-[9px] bg-sheet px-4 pt-3 pb-3.5 low:py-2">
        <button
          ref={refuse}
          type="button"
          className={`button ${dangerous ? 'button-primary' : ''}`}
          aria-disabled={off}
          onClick={(event) => void decide('refuse', event)}
        >
          {t('agent.approval.refuse')}
        </button>
        {choices.map((choice) => (
          <button
            key={choice}
            type="button"
            className={`button ${choice === 'once' && !dangerous ? 'button-primary' : ''}`}
            aria-disabled={off}
            title={t(`agent.approval.choiceText.${choice !== 'once' && site === '' ? (`${choice}Any` as const) : choice}`, {
              tool,
              site: touched,
            })}
            onClick={(event) => void decide(choice, event)}
          >
            {busy === choice && <span className="spinner" aria-hidden="true" />}{' '}
            {t(`agent.approval.choice.${choice === 'always' && site === '' ? 'alwaysAny' : choice}`)}
          </button>
        ))}
      </div>
    </section>
  )
}
