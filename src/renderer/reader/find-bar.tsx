import { ChevronDown, ChevronUp, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../format.ts'
import { isComposing } from '../parts/keys.ts'
import { closeFind, setFindWords, stepFind, useFind } from './find.ts'

function leave() {
  closeFind()
  document.querySelector<HTMLElement>('#reader-body [tabindex="0"]')?.focus({ preventScroll: true })
}

/** Words to look for in the open document; Enter goes to the next place, with Shift to the one before. */
export function FindBar() {
  const { t } = useTranslation()
  const format = useFormat()
  const { words, at, total } = useFind()
  const none = words.trim() !== '' && total === 0
  return (
    <search className="flex flex-none items-center gap-1 border-b border-line bg-paper py-1.5 ps-4.5 pe-2.5">
      <input
        id="reader-find"
        type="text"
        className="field min-h-7.5! flex-1 text-small"
        placeholder={t('library.find')}
        aria-label={t('library.find')}
        aria-invalid={none}
        spellCheck={false}
        autoComplete="off"
        autoFocus
        maxLength={200}
        value={words}
        onChange={(event) => setFindWords(event.target.value)}
        onKeyDown={(event) => {
          if (isComposing(event)) return
          if (event.key === 'Enter') stepFind(event.shiftKey ? -1 : 1)
          else if (event.key === 'Escape') leave()
          else return
          event.preventDefault()
        }}
      />
      <span role="status" className="min-w-20 px-1 text-center text-small text-ink-2 tabular-nums">
        {words.trim() === '' || total === null
          ? ''
          : total === 0
            ? t('library.findNone')
            : t('library.findAt', { at: format.count(at + 1), total: format.count(total) })}
      </span>
      <button
        type="button"
        className="icon-button size-7"
        aria-label={t('library.findBefore')}
        disabled={!total}
        onClick={() => stepFind(-1)}
      >
        <ChevronUp size={15} strokeWidth={1.6} />
      </button>
      <button
        type="button"
        className="icon-button size-7"
        aria-label={t('library.findAfter')}
        disabled={!total}
        onClick={() => stepFind(1)}
      >
        <ChevronDown size={15} strokeWidth={1.6} />
      </button>
      <button type="button" className="icon-button size-7" aria-label={t('library.findClose')} onClick={leave}>
        <X size={15} strokeWidth={1.6} />
      </button>
    </search>
  )
}
