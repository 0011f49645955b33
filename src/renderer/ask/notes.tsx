import { Info } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Note } from '../../contract/answer.ts'
import { useFormat } from '../format.ts'
import { Visible } from '../parts/visible.tsx'
import { visibleText } from '../parts/visible-text.ts'
import { askAgain } from '../state/conversation.ts'
import { BasisOf } from './basis.tsx'
import { useModels } from '../state/models.ts'
import type { TurnView } from './turn-view.ts'

function wordsOf({ code }: Note, { withoutModel }: TurnView) {
  if (code !== 'no-model' || withoutModel === false) return `ask.note.${code}` as const
  return withoutModel === true ? 'ask.noModelChosen' : 'ask.noModelThen'
}

/** How the answer broke off: said where it ends, since a long one would look whole there. */
const endings: ReadonlySet<Note['code']> = new Set(['repeats', 'filtered', 'cut-off', 'step-limit', 'repeated-calls', 'budget'])

/** What one should know about this answer, before it or at its end. That nothing in the library answers is said first and with a way on. */
export function Notes({ turn, last, ending = false }: { turn: TurnView; last: boolean; ending?: boolean }) {
  const { t } = useTranslation()
  const format = useFormat()
  const model = useModels((models) => models.state?.effective ?? null)
  const notes = turn.notes.filter(({ code }) => endings.has(code) === ending)
  if (notes.length === 0) return null
  return (
    <ul className="mb-3.5 flex flex-col gap-1.5" data-notes={ending ? 'end' : 'start'}>
      {notes.map((note, index) =>
        note.code === 'not-in-library' ? (
          <li
            key={index}
            className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-[10px] border border-line bg-warn-wash px-4 py-3 text-ui"
          >
            <span className="min-w-0 flex-1 basis-60">
              <b className="font-semibold">{t('ask.note.not-in-library')}</b>
              <span className="block text-small text-ink-2">
                {t(turn.sources.length === 0 ? 'ask.notInLibraryNothing' : 'ask.notInLibraryText')}
              </span>
            </span>
            {last && !turn.running && model !== null && (
              <button type="button" className="button button-small" onClick={() => void askAgain(turn, { anyway: true })}>
                {t('ask.askAnyway')}
              </button>
            )}
          </li>
        ) : (
          <li key={index} className="flex items-start gap-2 text-small text-ink-2">
            <Info size={14} strokeWidth={1.6} className="mt-[3px] flex-none" aria-hidden="true" />
            <div className="min-w-0">
              {note.basis !== undefined && <BasisOf basis={note.basis} />}
              {note.basis === undefined &&
                t(wordsOf(note, turn), {
                  count: note.count ?? 0,
                  number: format.count(note.count ?? 0),
                  of: format.count(note.of ?? 0),
                  message: note.message,
                })}
              {note.sums?.map(({ said, value }) => (
                <span key={said} className="block [overflow-wrap:anywhere]">
                  {t('ask.wrongSum', { said: visibleText(said), value })}
                </span>
              ))}
              {(note.code === 'attachment-unread' || note.code === 'attachment-cut') && (
                <span className="block [overflow-wrap:anywhere]">
                  <Visible text={note.message} />
                </span>
              )}
            </div>
          </li>
        ),
      )}
    </ul>
  )
}
