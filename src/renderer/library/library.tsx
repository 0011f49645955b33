import { LibraryBig } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../format.ts'
import { SearchField } from '../parts/search-field.tsx'
import { EmptyPanel, LoadingPanel, ProblemPanel } from '../parts/state-panel.tsx'
import { useLibrary, watchAgain } from '../state/library.ts'
import { AddButton } from './add-button.tsx'
import { DocumentList } from './document-list.tsx'
import { setFilter, useFilter } from './filter-state.ts'
import { FolderCard } from './folder-card.tsx'
import './library.css'
import { PictureView } from './picture-view.tsx'
import { WorkLine } from './work-line.tsx'

function SearchBox() {
  const { t } = useTranslation()
  const words = useFilter((filter) => filter.words)
  return (
    <search className="relative mx-auto w-full max-w-115 min-w-0">
      <SearchField
        label={t('library.searchPassages')}
        maxLength={1000}
        value={words}
        onChange={(typed) => setFilter({ words: typed })}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || words === '') return
          // Only the search, not the reader behind it.
          event.preventDefault()
          setFilter({ words: '' })
        }}
      />
    </search>
  )
}

/** Folders as cards, what is in them as a picture, and below every document, or the passages that words find. */
export function Library() {
  const { t } = useTranslation()
  const format = useFormat()
  const { progress, problem } = useLibrary()
  const folderId = useFilter((filter) => filter.folderId)
  const searching = useFilter((filter) => filter.words.trim() !== '')
  const [scroller, setScroller] = useState<HTMLElement | null>(null)
  const folders = progress?.folders ?? []
  const chosen = folders.find((folder) => folder.id === folderId) ?? null
  const version = progress === null ? '' : JSON.stringify([progress.counts, progress.embedded, folders.length])
  return (
    <main className="flex min-w-0 flex-1 flex-col" aria-label={t('common.library')}>
      <header className="flex h-13 flex-none items-center gap-4 border-b border-line px-8 max-[1000px]:px-5 max-[560px]:gap-2.5">
        <h1 className="text-[14.5px] font-semibold">{t('common.library')}</h1>
        {folders.length > 0 ? <SearchBox /> : <span className="flex-1" />}
        <AddButton small />
      </header>
      <div ref={setScroller} className="min-h-0 flex-1 overflow-y-auto">
        <div className={`px-8 max-[1000px]:px-5 ${searching && progress?.phase === 'idle' ? '' : 'pt-5'}`}>
          {progress === null && problem === null && <LoadingPanel />}
          {progress === null && problem !== null && <ProblemPanel problem={problem} onRetry={watchAgain} />}
          {progress !== null && <WorkLine progress={progress} />}
          {progress !== null && folders.length === 0 && (
            <EmptyPanel icon={<LibraryBig size={36} strokeWidth={1.2} />} title={t('library.empty')}>
              <p className="mb-4">{t('library.emptyText')}</p>
              <AddButton />
            </EmptyPanel>
          )}
          {!searching && (
            <>
              <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(310px,100%),1fr))] gap-3">
                {folders.map((folder) => (
                  <FolderCard
                    key={folder.id}
                    folder={folder}
                    chosen={folder.id === folderId}
                    onChoose={() => setFilter({ folderId: folder.id === folderId ? null : folder.id })}
                  />
                ))}
              </ul>
              {progress !== null && folders.length > 0 && (
                <>
                  <p className="mt-3 text-small text-ink-2">
                    {t('library.summary', {
                      count: progress.counts.total,
                      documents: format.count(progress.counts.total),
                      passages: format.count(progress.passages),
                      bytes: format.bytes(folders.reduce((sum, folder) => sum + folder.sizeBytes, 0)),
                    })}
                  </p>
                  <PictureView version={version} />
                </>
              )}
            </>
          )}
        </div>
        {folders.length > 0 && scroller !== null && <DocumentList folder={chosen} scroller={scroller} version={version} />}
      </div>
    </main>
  )
}
