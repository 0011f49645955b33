import { useTranslation } from 'react-i18next'
import type { Settings } from '../../contract/settings.ts'
import { useFormat } from '../format.ts'
import { Segments } from '../parts/segments.tsx'
import { patchSettings } from '../state/settings.ts'
import { Section } from './section.tsx'

const times = [60_000, 300_000, 1_800_000]
const memories = [700_000_000, 1_500_000_000, 3_000_000_000]

/** The choices, and what was set elsewhere. */
function withOwn(choices: readonly number[], own: number): string[] {
  return [...new Set([...choices, own])].sort((one, other) => one - other).map(String)
}

/** What the reading of one document may take. */
export function Limits({ settings }: { settings: Settings }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { readTimeoutMs, readMemoryBytes } = settings
  return (
    <Section id="limits" title={t('settings.limits')} text={t('settings.limitsText')}>
      <p className="mb-1 text-ui">{t('settings.readTime')}</p>
      <Segments
        label={t('settings.readTime')}
        value={String(readTimeoutMs)}
        choices={withOwn(times, readTimeoutMs).map((value) => ({ value, label: format.duration(Number(value)) }))}
        onChange={(value) => void patchSettings({ readTimeoutMs: Number(value) })}
      />
      <p className="mt-3 mb-1 text-ui">{t('settings.readMemory')}</p>
      <Segments
        label={t('settings.readMemory')}
        value={String(readMemoryBytes)}
        choices={withOwn(memories, readMemoryBytes).map((value) => ({ value, label: format.bytes(Number(value)) }))}
        onChange={(value) => void patchSettings({ readMemoryBytes: Number(value) })}
      />
    </Section>
  )
}
