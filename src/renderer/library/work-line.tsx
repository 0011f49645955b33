import { Pause, Play } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { IndexProgress } from '../../contract/library.ts'
import { client } from '../client.ts'
import { useFormat } from '../format.ts'
import { fileName } from '../paths.ts'
import { reportProblem } from '../state/toasts.ts'
import { doneOf, shareOf, useRising } from './share.ts'

function Trouble({ trouble }: { trouble: NonNullable<IndexProgress['trouble']> }) {
  const { t } = useTranslation()
  return (
    <div role="alert" className="mb-4 flex items-start gap-3 rounded-[10px] border border-line bg-warn-wash px-4 py-3 text-ui">
      <span className="dot mt-[7px]" data-tone="bad" aria-hidden="true" />
      <div>
        <p className="font-semibold">{t('library.trouble')}</p>
        <p>{trouble.message}</p>
        {trouble.hint !== undefined && <p className="text-small text-ink-2">{trouble.hint}</p>}
      </div>
    </div>
  )
}

/** Work that is always on some file: there its line keeps its place. */
const ofOneFile: ReadonlySet<IndexProgress['phase']> = new Set(['reading', 'recognising', 'transcribing'])

/** How far what is being done now is, with rate and time left; it can be paused and taken up again. */
export function WorkLine({ progress }: { progress: IndexProgress }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { phase, counts, passages, embedded } = progress
  const share = useRising(
    phase === 'idle' ? 'idle' : 'work',
    phase === 'idle' || phase === 'scanning' ? 0 : shareOf(counts, passages, embedded),
  )
  if (phase === 'idle') return progress.trouble === null ? null : <Trouble trouble={progress.trouble} />
  const paused = phase === 'paused'
  const parts = [
    phase === 'scanning' || phase === 'reading' || (paused && doneOf(counts) < counts.total)
      ? t('library.doneOf', { count: counts.total, done: format.count(doneOf(counts)), total: format.count(counts.total) })
      : null,
    phase === 'embedding' || (paused && doneOf(counts) === counts.total && embedded < passages)
      ? t('library.embeddedOf', { count: passages, done: format.count(embedded), total: format.count(passages) })
      : null,
    phase === 'recognising' && progress.pagesToRecognise > 0
      ? t('library.pagesToRecognise', { count: progress.pagesToRecognise, pages: format.count(progress.pagesToRecognise) })
      : null,
    progress.passagesPerSecond === null || paused ? null : t('library.rate', { count: Math.round(progress.passagesPerSecond) }),
    progress.remainingMs === null || paused ? null : t('library.timeLeft', { time: format.remaining(progress.remainingMs) }),
  ].filter((part) => part !== null)
  const current = progress.current.map(fileName).join(' · ')
  return (
    <>
      {progress.trouble !== null && <Trouble trouble={progress.trouble} />}
      <section aria-label={t('library.working')} className="card mb-4 px-4 py-3 text-ui">
        <div className="flex items-center gap-3">
          <span className="dot" data-tone={paused ? 'warn' : 'busy'} aria-hidden="true" />
          <p className="min-w-0 flex-1">
            <b className="me-3 font-semibold">{t(`library.phase.${phase}`)}</b>
            <span className="text-small text-ink-2 tabular-nums">{parts.join(' · ')}</span>
          </p>
          <button
            type="button"
            className="button button-small"
            onClick={() => void (paused ? client.library.resume({}) : client.library.pause({})).catch(reportProblem)}
          >
            {paused ? <Play size={13} strokeWidth={1.8} aria-hidden="true" /> : <Pause size={13} strokeWidth={1.8} aria-hidden="true" />}
            {t(paused ? 'library.resumeAll' : 'library.pauseAll')}
          </button>
        </div>
        <div
          className="bar mt-2.5"
          data-tone={paused ? undefined : phase === 'scanning' && counts.total === 0 ? 'waiting' : 'busy'}
          role="progressbar"
          aria-label={t('library.working')}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={Math.round(share * 100)}
        >
          <i style={{ width: `${share * 100}%` }} />
        </div>
        {(ofOneFile.has(phase) || current !== '') && !paused && (
          <p className="mt-1.5 min-h-[1.4em] truncate text-tiny text-ink-3">{current}</p>
        )}
      </section>
    </>
  )
}
