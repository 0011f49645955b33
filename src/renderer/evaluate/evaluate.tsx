import { ChartScatter } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { EmptyPanel } from '../parts/state-panel.tsx'

const tasks = ['choose', 'run', 'compare', 'open'] as const
const sets = ['lines', 'squad', 'csv'] as const
const now = ['models', 'ask'] as const

/** What will be measured here, and with what. It cannot be run yet, and says so: what can be done today comes first. */
export function EvaluatePage() {
  const { t } = useTranslation()
  return (
    <main className="flex min-w-0 flex-1 flex-col" aria-label={t('common.evaluate')}>
      <header className="flex h-13 flex-none items-center border-b border-line px-8 max-[1000px]:px-5">
        <h1 className="flex-1 text-[14.5px] font-semibold">{t('common.evaluate')}</h1>
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto max-w-[820px] px-8 pb-8 max-[1000px]:px-5">
          <EmptyPanel icon={<ChartScatter size={30} strokeWidth={1.2} aria-hidden="true" />} title={t('evaluate.empty')}>
            {t('evaluate.emptyText')}
          </EmptyPanel>
          <div className="grid gap-4">
            <section className="card px-5 py-4" aria-labelledby="evaluate-now">
              <h2 id="evaluate-now" className="mb-2 font-semibold">
                {t('evaluate.now')}
              </h2>
              <ul className="space-y-2 text-ui text-ink-2">
                {now.map((screen) => (
                  <li key={screen} className="flex items-center gap-4">
                    <span className="min-w-0 flex-1">{t(`evaluate.until.${screen}`)}</span>
                    <a href={`#/${screen}`} className="button button-small no-underline">
                      {t(`common.${screen}`)}
                    </a>
                  </li>
                ))}
              </ul>
            </section>
            <section className="card px-5 py-4" aria-labelledby="evaluate-tasks">
              <h2 id="evaluate-tasks" className="mb-2 font-semibold">
                {t('evaluate.tasks')}
              </h2>
              <ul className="list-disc space-y-1 ps-5 text-ui text-ink-2">
                {tasks.map((each) => (
                  <li key={each}>{t(`evaluate.task.${each}`)}</li>
                ))}
              </ul>
            </section>
            <section className="card px-5 py-4" aria-labelledby="evaluate-sets">
              <h2 id="evaluate-sets" className="mb-2 font-semibold">
                {t('evaluate.sets')}
              </h2>
              <p className="text-ui text-ink-2">{t('evaluate.setsText')}</p>
              <ul className="mt-2 list-disc space-y-1 ps-5 text-ui text-ink-2">
                {sets.map((each) => (
                  <li key={each}>{t(`evaluate.set.${each}`)}</li>
                ))}
              </ul>
              <pre className="exact mt-3" tabIndex={0} aria-label={t('evaluate.example')}>
                {t('evaluate.exampleText')}
              </pre>
            </section>
          </div>
        </div>
      </div>
    </main>
  )
}
