import { ArrowUpRight, FolderPlus } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../format.ts'
import { AddButton } from '../library/add-button.tsx'
import { ask } from '../state/conversation.ts'
import { useDraft } from '../state/draft.ts'
import { useLibrary } from '../state/library.ts'
import { isRemote, useModels } from '../state/models.ts'
import { useRoute } from '../state/route.ts'

const samples = ['sample1', 'sample2', 'sample3'] as const

function SampleQuestions() {
  const { t } = useTranslation()
  return (
    <section aria-label={t('ask.tryThese')} className="mt-8">
      <h2 className="mb-2 text-small text-ink-2">{t('ask.tryThese')}</h2>
      <ul className="card divide-y divide-line overflow-hidden">
        {samples.map((key) => (
          <li key={key}>
            <button
              type="button"
              lang={t(`ask.${key}Language`)}
              className="group flex w-full items-center gap-3 border-0 bg-transparent px-4 py-3 text-start hover:bg-seal-wash"
              onClick={() => void ask(t(`ask.${key}`), { mode: 'answer' })}
            >
              <span className="flex-1">{t(`ask.${key}`)}</span>
              <ArrowUpRight size={16} strokeWidth={1.6} className="text-ink-3 group-hover:text-seal" aria-hidden="true" />
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Which engine will answer, and how to get a better one. */
function EngineStrip() {
  const { t } = useTranslation()
  const state = useModels((models) => models.state)
  const choice = useDraft((draft) => draft.model)
  if (state === null) {
    return (
      <p role="status" className="appear-late mt-6 flex h-17 items-center gap-3 rounded-[10px] bg-sunk px-4 text-ui text-ink-2">
        <span className="spinner" aria-hidden="true" />
        {t('ask.stripLooking')}
      </p>
    )
  }
  const effective = choice === undefined ? state.effective : choice
  const remote = effective !== null && isRemote(state, effective)
  return (
    <section aria-label={t('ask.engine')} className="appear mt-6 flex items-start gap-3 rounded-[10px] bg-sunk px-4 py-3 text-ui">
      <span
        className="dot mt-[7px]"
        data-tone={choice === null ? undefined : effective === null || remote ? 'warn' : 'ok'}
        aria-hidden="true"
      />
      <div className="min-w-0 flex-1">
        <p>
          {effective === null
            ? t(choice === null ? 'ask.stripChosen' : 'ask.stripNone')
            : t(remote ? 'ask.stripRemote' : 'ask.stripLocal', { model: effective.model })}
        </p>
        <p className="text-small text-ink-2">
          {choice !== null && t(effective === null ? 'ask.stripNoneHow' : remote ? 'ask.stripRemoteHow' : 'ask.stripLocalHow')}
        </p>
      </div>
      <a href="#/models" className="button button-small flex-none no-underline">
        {t('common.models')}
      </a>
    </section>
  )
}

/** The first screen already answers: questions to click, what is in the library, and who will answer. */
export function Welcome() {
  const { t } = useTranslation()
  const format = useFormat()
  const progress = useLibrary((state) => state.progress)
  const screen = useRoute((route) => route.screen)
  const own = progress?.folders.filter((folder) => !folder.sample) ?? []
  const shown = own.length > 0 ? own : (progress?.folders ?? [])
  const found = shown.reduce((sum, folder) => sum + folder.counts.ready + folder.counts.partial, 0)
  // While the first ones are being read, all of them are counted: they are there, if not yet readable.
  const total = shown.reduce((sum, folder) => sum + folder.counts.total, 0)
  const documents = found > 0 ? found : total
  const empty = progress !== null && shown.length === 0
  return (
    <div key={screen} className="mx-auto max-w-[620px] pt-[6vh] pb-8 [@media(max-height:700px)]:pt-0">
      <p className="text-display font-serif font-semibold tracking-wide">{t('ask.welcome')}</p>
      <p className="mt-1 text-ink-2">
        {progress === null
          ? ' '
          : t(
              empty
                ? 'ask.welcomeEmpty'
                : own.length === 0
                  ? 'ask.welcomeSample'
                  : documents < total
                    ? 'ask.welcomeSome'
                    : 'ask.welcomeOwn',
              {
                count: documents < total ? total : documents,
                documents: format.count(documents),
                total: format.count(total),
              },
            )}
      </p>
      {own.length === 0 && !empty && <SampleQuestions />}
      {empty && (
        <p className="mt-5">
          <AddButton />
        </p>
      )}
      <EngineStrip />
      <p className="mt-5 flex items-center gap-2 text-small text-ink-2">
        <FolderPlus size={15} strokeWidth={1.6} aria-hidden="true" />
        {t('ask.dropHint')}
      </p>
    </div>
  )
}
