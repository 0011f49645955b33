import { useTranslation } from 'react-i18next'
import { useConnection } from '../client.ts'
import { useDraft } from '../state/draft.ts'
import { isRemote, useModels } from '../state/models.ts'

/** Who will answer, in the corner of the conversation. */
export function EngineBadge() {
  const { t } = useTranslation()
  const state = useModels((models) => models.state)
  const choice = useDraft((draft) => draft.model)
  const open = useConnection((connection) => connection.state === 'open')
  if (state === null) return null
  const effective = choice === undefined ? state.effective : choice
  if (effective === null) {
    return (
      <a href="#/models" className="flex items-center gap-2 whitespace-nowrap no-underline hover:text-ink">
        <span className="dot" data-tone={choice === null ? undefined : 'warn'} aria-hidden="true" />
        {t(choice === null ? 'ask.engineExtracts' : 'ask.engineNone')}
      </a>
    )
  }
  const remote = isRemote(state, effective)
  return (
    <a href="#/models" className="flex min-w-0 items-center gap-2 no-underline hover:text-ink">
      <span className="dot" data-tone={!open ? undefined : remote ? 'warn' : 'ok'} aria-hidden="true" />
      <span className="truncate">{`${effective.model} · ${t(remote ? 'ask.remote' : 'ask.local')}`}</span>
    </a>
  )
}
