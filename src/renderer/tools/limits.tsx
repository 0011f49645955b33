import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Settings } from '../../contract/settings.ts'
import { useFormat } from '../format.ts'
import { isEnter } from '../parts/keys.ts'
import { patchSettings } from '../state/settings.ts'

const minute = 60_000
const thousand = 1000

/** What a person sets, its range, and how many of the setting's own unit one of it is. */
const limits = [
  { key: 'agentMaxSteps', words: 'steps', from: 1, to: 1000, unit: 1 },
  { key: 'agentMaxCalls', words: 'calls', from: 1, to: 1000, unit: 1 },
  { key: 'agentMaxMs', words: 'minutes', from: 1, to: 600, unit: minute },
  { key: 'agentMaxTokens', words: 'tokens', from: 10, to: 10_000, unit: thousand },
] as const

function Limit({ limit, settings }: { limit: (typeof limits)[number]; settings: Settings }) {
  const { t } = useTranslation()
  const format = useFormat()
  const kept = Math.max(limit.from, Math.round(settings[limit.key] / limit.unit))
  const [typed, setTyped] = useState<string | null>(null)
  const value = Number(typed ?? kept)
  const wrong = typed !== null && !(/^\s*\d+\s*$/.test(typed) && value >= limit.from && value <= limit.to)
  const range = t('tools.range', { from: format.count(limit.from), to: format.count(limit.to) })
  function keep() {
    if (typed === null || wrong) return
    setTyped(null)
    if (value !== kept) void patchSettings({ [limit.key]: value * limit.unit })
  }
  return (
    <label className="flex items-start gap-4 py-2">
      <span className="min-w-0 flex-1">
        <span className="block text-ui">{t(`tools.limit.${limit.words}`)}</span>
        <span className={`block text-small ${wrong ? 'text-bad' : 'text-ink-2'}`}>
          {wrong ? t('tools.outOfRange', { range }) : t('tools.limitLine', { text: t(`tools.limitText.${limit.words}`), range })}
        </span>
      </span>
      <input
        inputMode="numeric"
        className="field w-24! text-end tabular-nums"
        aria-invalid={wrong}
        value={typed ?? String(kept)}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={keep}
        onKeyDown={(event) => {
          if (isEnter(event)) keep()
          else if (event.key === 'Escape') setTyped(null)
        }}
      />
    </label>
  )
}

/** How far the agent may go in one turn before it ends honestly. */
export function AgentLimits({ settings }: { settings: Settings }) {
  return limits.map((limit) => <Limit key={limit.key} limit={limit} settings={settings} />)
}
