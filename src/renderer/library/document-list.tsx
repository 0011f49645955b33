import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Virtuoso } from 'react-virtuoso'
import type { DocumentKind, DocumentStatus, Folder } from '../../contract/library.ts'
import { EmptyPanel, LoadingPanel, ProblemPanel } from '../parts/state-panel.tsx'
import { useLibrary } from '../state/library.ts'
import { DocumentItem, rowHeight } from './document-item.tsx'
import { useDocuments } from './documents.ts'
import { Filters } from './filters.tsx'

interface Props {
  folder: Folder | null
  scroller: HTMLElement
  onAllFolders: () => void
}

/** Every document, in a list that stays fast at any length: only the rows in sight exist. */
export function DocumentList({ folder, scroller, onAllFolders }: Props) {
  const { t } = useTranslation()
  const [statuses, setStatuses] = useState<DocumentStatus[]>([])
  const [kinds, setKinds] = useState<DocumentKind[]>([])
  const [name, setName] = useState('')
  const version = useLibrary((state) =>
    state.progress === null ? '' : JSON.stringify([state.progress.counts, state.progress.embedded, state.progress.folders.length]),
  )
  const documents = useDocuments({ folderId: folder?.id ?? null, statuses, kinds, name }, version)
  const { total, problem } = documents
  const filtered = statuses.length > 0 || kinds.length > 0 || name.trim() !== '' || folder !== null
  function showAll() {
    setStatuses([])
    setKinds([])
    setName('')
    onAllFolders()
  }
  return (
    <section aria-label={t('library.documents')} className="pb-8">
      <div className="sticky top-0 z-10 mt-4 border-b border-line bg-paper px-8 pt-3 pb-2.5 max-[1000px]:px-5">
        <Filters
          folder={folder}
          total={total}
          statuses={statuses}
          kinds={kinds}
          name={name}
          onStatuses={setStatuses}
          onKinds={setKinds}
          onName={setName}
          onAllFolders={onAllFolders}
        />
      </div>
      {total === null && problem === null && <LoadingPanel />}
      {total === null && problem !== null && <ProblemPanel problem={problem} onRetry={documents.again} />}
      {total === 0 && (
        <EmptyPanel title={t(filtered ? 'library.noneFound' : 'library.noDocuments')}>
          {filtered && (
            <button type="button" className="button" onClick={showAll}>
              {t('library.showAll')}
            </button>
          )}
        </EmptyPanel>
      )}
      {total !== null && total > 0 && (
        <Virtuoso
          customScrollParent={scroller}
          totalCount={total}
          fixedItemHeight={rowHeight}
          increaseViewportBy={300}
          rangeChanged={({ startIndex, endIndex }) => documents.look(startIndex, endIndex)}
          itemContent={(index) => <DocumentItem index={index} document={documents.row(index)} />}
        />
      )}
    </section>
  )
}
