import { useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DoctorReport, Finding, Settings } from '../../contract/settings.ts'
import type { ErrorValue } from '../../contract/errors.ts'
import { client } from '../client.ts'
import { ProblemDetail } from '../parts/problem-text.tsx'
import { LoadingPanel, ProblemPanel } from '../parts/state-panel.tsx'
import { useRefreshed } from '../parts/use-refreshed.ts'
import { problemOf } from '../problem.ts'
import { MendButton } from './mend.tsx'
import { Section } from './section.tsx'

const tones = { ok: 'ok', info: 'none', warning: 'warn', error: 'bad' } as const

/** "It does not answer: It does not answer at …" says it twice. */
function onceOnly(message: string): string {
  return message.replace(/^(.{4,}?): (?=\1)/, '')
}

/** Words by the finding's code; one that has none speaks for itself. */
function FindingText({ finding }: { finding: Finding }) {
  const { t, i18n } = useTranslation()
  const known = i18n.exists(`settings.finding.${finding.code}`)
  const message = onceOnly(finding.message)
  // The finding's own words are English and more exact: there they stand alone.
  const alone = !known || (i18n.language === 'en' && finding.level !== 'ok')
  const words = !alone ? t(`settings.finding.${finding.code}` as 'settings.finding.offline') : message
  const remedy = i18n.exists(`settings.findingRemedy.${finding.code}`)
    ? t(`settings.findingRemedy.${finding.code}` as 'settings.findingRemedy.read-only')
    : finding.remedy
  return (
    <span className="min-w-0 flex-1 break-words">
      {words}
      {!alone && (finding.level === 'warning' || finding.level === 'error') && (
        <ProblemDetail problem={{ code: 'internal', message, retryable: false }} hint={false} />
      )}
      {remedy !== null && finding.level !== 'ok' && <span className="block text-small text-ink-2">{remedy}</span>}
    </span>
  )
}

/** What the doctor finds wrong, and how to mend it. */
export function Health({ settings }: { settings: Settings }) {
  const { t } = useTranslation()
  const [report, setReport] = useState<DoctorReport | null>(null)
  const [problem, setProblem] = useState<ErrorValue | null>(null)
  const [checking, setChecking] = useState(false)
  const run = useCallback(() => {
    setChecking(true)
    setProblem(null)
    client.doctor
      .run({})
      .then(setReport, (error: unknown) => setProblem(problemOf(error)))
      .finally(() => setChecking(false))
  }, [])
  useRefreshed('health', '', async (signal) => {
    try {
      const found = await client.doctor.run({}, { signal })
      if (signal.aborted) return
      setReport(found)
      setProblem(null)
    } catch (error) {
      if (!signal.aborted) setProblem(problemOf(error))
    }
  })
  return (
    <Section id="health" title={t('settings.health')} text={t('settings.healthText')}>
      {report === null && problem === null && <LoadingPanel />}
      {problem !== null && <ProblemPanel problem={problem} onRetry={run} />}
      {report !== null && problem === null && (
        <>
          <ul className="card divide-y divide-line text-ui">
            {report.findings.map((finding, index) => (
              <li key={index} className="flex items-start gap-3 px-4 py-2.5">
                <span
                  className="dot mt-[7px]"
                  data-tone={tones[finding.level]}
                  role="img"
                  aria-label={t(`settings.level.${finding.level}`)}
                />
                <FindingText finding={finding} />
                <MendButton finding={finding} embedding={settings.embedding.kind} onMended={run} />
              </li>
            ))}
          </ul>
          <button type="button" className="button button-small mt-3" disabled={checking} onClick={run}>
            {t(checking ? 'settings.checking' : 'settings.checkAgain')}
          </button>
        </>
      )}
    </Section>
  )
}
