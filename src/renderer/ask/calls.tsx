import { ChevronRight } from 'lucide-react'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Approval, CallRecord } from '../../contract/agent.ts'
import { saidByTool } from '../../contract/call-text.ts'
import { useFormat } from '../format.ts'
import { FoldMark } from '../parts/fold-mark.tsx'
import { Visible } from '../parts/visible.tsx'
import { AccessIcon } from '../tools/access.tsx'
import { callLine } from '../tools/call-line.ts'
import { ApprovalCard } from './approval-card.tsx'
import { CallEnding } from './call-ending.tsx'
import { Elapsed } from './elapsed.tsx'
import type { TurnView } from './turn-view.ts'

/** More finished calls than this are folded into one line. */
const shownAtOnce = 8

function Detail({ call }: { call: CallRecord }) {
  const { t } = useTranslation()
  const format = useFormat()
  const said = saidByTool(call)
  return (
    <dl className="ms-[7px] mt-1 mb-2.5 border-s border-line ps-4 text-small">
      <dt className="text-ink-3">{t('agent.call.tool')}</dt>
      <dd className="mb-1.5 font-mono">
        <Visible text={call.tool} />
      </dd>
      <dt className="text-ink-3">{t('agent.call.arguments')}</dt>
      <dd className="mb-1.5">
        <pre className="exact" tabIndex={0}>
          <Visible text={JSON.stringify(call.arguments, null, 2)} />
        </pre>
      </dd>
      {call.status !== 'running' && (
        <>
          <dt className="text-ink-3">{t('agent.call.result')}</dt>
          <dd>
            {call.status !== 'ok' && <p className="pb-1 text-ink">{t(`agent.statusText.${call.status}`)}</p>}
            {(said !== '' || call.status === 'ok') && (
              <pre className="exact" tabIndex={0}>
                {said === '' ? t('agent.call.noResult') : <Visible text={said} />}
              </pre>
            )}
            {call.cutFrom !== null && (
              <p className="pt-1 text-ink-2">{t('agent.call.cut', { count: call.cutFrom, characters: format.count(call.cutFrom) })}</p>
            )}
          </dd>
        </>
      )}
    </dl>
  )
}

interface LineProps {
  call: CallRecord
  turnId: string
  /** Calls and approvals of the whole turn: a helper's stand under the call that sent it. */
  calls: CallRecord[]
  approvals: Approval[]
}

const CallLine = memo(function CallLine({ call, turnId, calls, approvals }: LineProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const approval = approvals.find((each) => each.callId === call.callId)
  const inner = calls.filter((each) => each.parentCallId === call.callId)
  const running = call.status === 'running'
  const bad = !running && call.status !== 'ok'
  const decided = call.decision === null || call.decision === 'refuse' ? null : t(`agent.decided.${call.decision}`)
  return (
    <li>
      {approval !== undefined ? (
        <ApprovalCard turnId={turnId} approval={approval} />
      ) : (
        <details className="group">
          <summary className="flex cursor-pointer list-none items-center gap-2 rounded-sm py-0.75 text-small text-ink-2 hover:text-ink">
            <FoldMark className="flex-none" />
            {running ? <span className="spinner" aria-hidden="true" /> : <AccessIcon access={call.access} />}
            <span className="min-w-0 truncate">
              <Visible text={callLine(call, t)} />
            </span>
            {bad && <span className="flex-none text-bad">{t(`agent.status.${call.status}`)}</span>}
            {decided !== null && <span className="flex-none text-ink-3 max-[1000px]:hidden">{decided}</span>}
            <span className="ms-auto flex-none ps-2 text-ink-3 tabular-nums">
              {running ? <Elapsed limitMs={call.limitMs} /> : call.elapsedMs > 0 ? format.duration(call.elapsedMs) : null}
            </span>
            {running && <span className="sr-only">{t('agent.status.running')}</span>}
          </summary>
          <Detail call={call} />
        </details>
      )}
      {approval === undefined && <CallEnding call={call} />}
      {inner.length > 0 && (
        <ul aria-label={t('agent.helperCalls')} className="ms-[7px] border-s border-line ps-4">
          {inner.map((each) => (
            <CallLine key={each.callId} call={each} turnId={turnId} calls={calls} approvals={approvals} />
          ))}
        </ul>
      )}
    </li>
  )
})

/** Every tool call of the turn, in order: what it did, how it ended and how long it took. */
export function Calls({ turn }: { turn: TurnView }) {
  const { t } = useTranslation()
  const { calls, approvals, running, id } = turn
  if (calls.length === 0) return null
  const list = (
    <ul aria-label={t('agent.calls')}>
      {calls
        .filter((call) => call.parentCallId === null || !calls.some((each) => each.callId === call.parentCallId))
        .map((call) => (
          <CallLine key={call.callId} call={call} turnId={id} calls={calls} approvals={approvals} />
        ))}
    </ul>
  )
  if (running || calls.length <= shownAtOnce) return <div className="mb-3.5">{list}</div>
  return (
    <details className="group/all mb-3.5">
      <summary className="flex w-fit cursor-pointer list-none items-center gap-2 rounded-sm text-small text-ink-2 hover:text-ink">
        <ChevronRight size={13} strokeWidth={1.8} className="text-ink-3 transition-transform group-open/all:rotate-90" aria-hidden="true" />
        {t('agent.callCount', { count: calls.length })}
      </summary>
      <div className="pt-1 ps-5">{list}</div>
    </details>
  )
}
