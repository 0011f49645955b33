import { useTranslation } from 'react-i18next'
import { Virtuoso } from 'react-virtuoso'
import type { Folder } from '../../contract/library.ts'
import { EmptyPanel, LoadingPanel, ProblemPanel } from '../parts/state-panel.tsx'
import { DocumentItem, rowHeight } from './document-item.tsx'
import { useDocuments } from './documents.ts'
import { boundsOf, clearFilter, isFiltered, useFilter } from './filter-state.ts'
import { Filters } from './filters.tsx'
import { OrderRow } from './order-row.tsx'
import { PassageSearch } from './passage-search.tsx'

interface Props {
  folder: Folder | null
  scroller: HTMLElement
  version: string
}

/** Every document, in a list that stays fast at any length: only the rows in sight exist. Or what the words of the search find. */
export function DocumentList({ folder, scroller, version }: Props) {
  const { t } = useTranslation()
  const filter = useFilter()
  const { statuses, kinds, name, dates, band, order } = filter
  const words = filter.words.trim()
  const documents = useDocuments(
    {
      folderId: folder?.id ?? null,
      statuses,
      kinds,
      name,
      modifiedFrom: dates.from,
      modifiedBefore: dates.before,
      ...boundsOf(band),
      order,
    },
    version,
  )
  const { total, problem } = documents
  const filtered = isFiltered(filter)
  return (
    <section aria-label={t('library.documents')} className="@container pb-8">
      <div
        className={`sticky top-0 z-10 border-b border-line bg-paper px-8 pt-3 pb-2.5 max-[1000px]:px-5 low:static ${words === '' ? 'mt-3' : ''}`}
      >
        <Filters folder={folder} total={words === '' ? total : null} searching={words !== ''} />
        {words === '' && total !== 0 && <OrderRow />}
      </div>
      {words !== '' ? (
        <PassageSearch words={words} version={version} />
      ) : (
        <>
          {total === null && problem === null && <LoadingPanel />}
          {total === null && problem !== null && <ProblemPanel problem={problem} onRetry={documents.again} />}
          {total === 0 && (
            <EmptyPanel title={t(filtered ? 'library.noneFound' : 'library.noDocuments')}>
              {filtered && (
                <button type="button" className="button" onClick={clearFilter}>
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
        </>
      )}
    </section>
  )
}
