import { FileUp } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useTurn } from '../state/turns.ts'

/** That a chat came from a file: it may stand beside the one that it was made of, under the same name. */
export function ImportedSign({ turnId }: { turnId: string | undefined }) {
  const { t } = useTranslation()
  const imported = useTurn(turnId ?? '')?.imported === true
  if (!imported) return null
  return (
    <span className="tag flex-none gap-1.5" title={t('ask.importedText')}>
      <FileUp size={13} strokeWidth={1.7} aria-hidden="true" />
      {t('ask.importedHere')}
    </span>
  )
}
