import { useTranslation } from 'react-i18next'
import type { DocumentRow } from '../../contract/library.ts'
import { EmptyPanel } from '../parts/state-panel.tsx'

/** A document without text: not read yet, or nothing was in it. */
export function NoText({ document }: { document: DocumentRow }) {
  const { t } = useTranslation()
  if (document.status !== 'waiting' && document.status !== 'reading') return <EmptyPanel title={t('library.noText')} />
  return <EmptyPanel title={t('library.notReadYet')}>{t('library.notReadYetText')}</EmptyPanel>
}
