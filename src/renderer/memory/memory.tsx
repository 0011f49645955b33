import { Bookmark, FileDown, FileUp, Trash2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Memory } from '../../contract/memory.ts'
import { useFormat } from '../format.ts'
import { ConfirmDialog } from '../parts/confirm-dialog.tsx'
import { isEnter } from '../parts/keys.ts'
import { SearchField } from '../parts/search-field.tsx'
import { EmptyPanel, LoadingPanel, ProblemPanel } from '../parts/state-panel.tsx'
import { Switch } from '../parts/switch.tsx'
import {
  addMemory,
  clearMemories,
  exportMemories,
  importMemories,
  loadMemories,
  loadMoreMemories,
  searchMemories,
  useMemories,
} from '../state/memories.ts'
import { patchSettings, useSettings } from '../state/settings.ts'
import { MemoryRow } from './memory-row.tsx'
import { longestMemory, TooLong } from './too-long.tsx'

const kinds = ['fact', 'preference'] as const satisfies readonly Memory['kind'][]

function AddForm() {
  const { t } = useTranslation()
  const [text, setText] = useState('')
  const [kind, setKind] = useState<Memory['kind']>('fact')
  const [busy, setBusy] = useState(false)
  const kept = text.trim()
  async function add() {
    if (kept === '' || kept.length > longestMemory || busy) return
    setBusy(true)
    if (await addMemory(kept, kind)) setText('')
    setBusy(false)
  }
  return (
    <form
      aria-label={t('memory.add')}
      className="mb-5 flex flex-wrap items-center gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        void add()
      }}
    >
      <input
        className="field flex-1 basis-72"
        aria-invalid={kept.length > longestMemory}
        placeholder={t('memory.addExample')}
        aria-label={t('memory.add')}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          // An input method's Enter must not send the form.
          if (event.key === 'Enter' && !isEnter(event)) event.preventDefault()
        }}
      />
      <select
        className="field w-auto!"
        aria-label={t('memory.kindLabel')}
        value={kind}
        onChange={(event) => setKind(kinds.find((each) => each === event.target.value) ?? 'fact')}
      >
        {kinds.map((each) => (
          <option key={each} value={each}>
            {t(`memory.kind.${each}`)}
          </option>
        ))}
      </select>
      <button type="submit" className="button button-primary" disabled={kept === '' || kept.length > longestMemory || busy}>
        {t('common.add')}
      </button>
      <TooLong length={kept.length} />
    </form>
  )
}

/** Where there is little room each action is its sign. */
const words = 'max-[600px]:sr-only'

function Actions({ all }: { all: number }) {
  const { t } = useTranslation()
  const file = useRef<HTMLInputElement>(null)
  const [clearing, setClearing] = useState(false)
  return (
    <>
      <input
        ref={file}
        type="file"
        hidden
        accept=".json,application/json"
        aria-label={t('memory.import')}
        onChange={(event) => {
          const [chosen] = event.target.files ?? []
          if (chosen !== undefined) void importMemories(chosen)
          event.target.value = ''
        }}
      />
      <button type="button" className="button button-quiet" title={t('memory.import')} onClick={() => file.current?.click()}>
        <FileUp size={14} strokeWidth={1.7} aria-hidden="true" /> <span className={words}>{t('memory.import')}</span>
      </button>
      <button
        type="button"
        className="button button-quiet"
        title={t('memory.export')}
        disabled={all === 0}
        onClick={() => void exportMemories()}
      >
        <FileDown size={14} strokeWidth={1.7} aria-hidden="true" /> <span className={words}>{t('memory.export')}</span>
      </button>
      <button type="button" className="button" title={t('memory.clear')} disabled={all === 0} onClick={() => setClearing(true)}>
        <Trash2 size={14} strokeWidth={1.7} className="hidden max-[600px]:block" aria-hidden="true" />
        <span className={words}>{t('memory.clear')}</span>
      </button>
      {clearing && (
        <ConfirmDialog
          title={t('memory.clearTitle', { count: all })}
          action={t('memory.clearAction', { count: all })}
          onConfirm={() => void clearMemories()}
          onClose={() => setClearing(false)}
        >
          {t('memory.clearText')}
        </ConfirmDialog>
      )}
    </>
  )
}

function List() {
  const { t } = useTranslation()
  const { memories, total, text, problem } = useMemories()
  if (memories === null && problem === null) return <LoadingPanel />
  if (problem !== null) return <ProblemPanel problem={problem} onRetry={() => void loadMemories()} />
  if (memories === null || memories.length === 0) {
    return text.trim() === '' ? (
      <EmptyPanel icon={<Bookmark size={26} strokeWidth={1.3} aria-hidden="true" />} title={t('memory.empty')}>
        {t('memory.emptyText')}
      </EmptyPanel>
    ) : (
      <EmptyPanel title={t('memory.noneFound')} />
    )
  }
  return (
    <>
      <ul className="card" aria-label={t('common.memory')}>
        {memories.map((memory) => (
          <MemoryRow key={memory.id} memory={memory} />
        ))}
      </ul>
      {total > memories.length && (
        <p className="pt-3 text-center">
          <button type="button" className="button button-small" onClick={() => void loadMoreMemories()}>
            {t('memory.more', { count: total - memories.length })}
          </button>
        </p>
      )}
    </>
  )
}

/** What is remembered between chats, and where it comes from. */
export function MemoryPage() {
  const { t } = useTranslation()
  const format = useFormat()
  const { text, all } = useMemories()
  const settings = useSettings((state) => state.settings)
  useEffect(() => {
    void loadMemories()
  }, [])
  return (
    <main className="flex min-w-0 flex-1 flex-col" aria-label={t('common.memory')}>
      <header className="flex h-13 flex-none items-center gap-2 border-b border-line px-8 max-[1000px]:px-5">
        <h1 className="flex-1 text-[14.5px] font-semibold">
          {t('common.memory')}
          {all > 0 && <span className="ms-3 text-small font-normal text-ink-2">{format.count(all)}</span>}
        </h1>
        <Actions all={all} />
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto max-w-[820px] px-8 py-5 max-[1000px]:px-5">
          {settings !== null && (
            <div className="mb-5 rounded-[10px] bg-sunk px-4 py-1.5">
              <Switch
                label={t('memory.between')}
                detail={t(settings.memory ? 'memory.betweenText' : 'memory.nothingOn')}
                checked={settings.memory}
                onChange={(memory) => void patchSettings({ memory })}
              />
            </div>
          )}
          <AddForm />
          {(all > 0 || text !== '') && (
            <div className="relative mb-4">
              <SearchField label={t('memory.search')} value={text} onChange={searchMemories} />
            </div>
          )}
          <List />
        </div>
      </div>
    </main>
  )
}
