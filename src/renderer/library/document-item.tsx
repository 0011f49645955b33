import {
  Book,
  Braces,
  FileArchive,
  FileCode2,
  FileQuestion,
  FileText,
  FileType,
  FileType2,
  Globe,
  Image,
  Mail,
  Presentation,
  Sheet,
  type LucideIcon,
  AudioLines,
} from 'lucide-react'
import { memo, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { DocumentKind, DocumentRow, Folder } from '../../contract/library.ts'
import { useFormat } from '../format.ts'
import { parentOf } from '../paths.ts'
import { useLibrary } from '../state/library.ts'
import { openDocument, useReader } from '../state/reader.ts'
import { shownStatus } from './shown-status.ts'
import { StatusDot } from './status-dot.tsx'

export const rowHeight = 46

const icons: Record<DocumentKind, LucideIcon> = {
  pdf: FileType,
  word: FileType2,
  sheet: Sheet,
  slides: Presentation,
  epub: Book,
  data: Braces,
  mail: Mail,
  image: Image,
  sound: AudioLines,
  archive: FileArchive,
  markdown: FileText,
  text: FileText,
  html: Globe,
  code: FileCode2,
  unknown: FileQuestion,
}

function moveFocus(event: KeyboardEvent<HTMLButtonElement>, index: number) {
  const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  if (by === 0) return
  event.preventDefault()
  document.querySelector<HTMLElement>(`[data-row="${index + by}"]`)?.focus()
}

/** Where a document stands, told from its folder on. */
function placeIn(folder: Folder | undefined, directory: string, sampleName: string): string {
  if (folder === undefined || folder.single || !directory.startsWith(folder.path)) return directory
  return (folder.sample ? sampleName : folder.name) + directory.slice(folder.path.length)
}

/** One document as a row; a row that has not come yet keeps its place. */
export const DocumentItem = memo(function DocumentItem({ index, document }: { index: number; document: DocumentRow | undefined }) {
  const { t } = useTranslation()
  const format = useFormat()
  const on = useReader((state) => state.open && document !== undefined && state.document?.id === document.id)
  const folder = useLibrary((state) => state.progress?.folders.find((each) => each.id === document?.folderId))
  if (document === undefined) return <div className="mx-8 border-b border-line max-[1000px]:mx-5" style={{ height: rowHeight }} />
  const Icon = icons[document.kind]
  const { reason, unreachableSince, within, pagesToRecognise } = document
  const status = shownStatus(document)
  const directory = placeIn(folder, parentOf(within?.filePath ?? document.path), t('library.sampleName'))
  const where = within === null ? directory : `${t('library.within', { name: within.name })} · ${directory}`
  const state =
    unreachableSince !== null
      ? t('library.unreachableShort')
      : status === 'waiting' && pagesToRecognise > 0
        ? t('library.pagesToRecognise', { count: pagesToRecognise, pages: format.count(pagesToRecognise) })
        : reason === null
          ? t(`library.status.${status}`)
          : t('library.statusWithReason', { status: t(`library.status.${status}`), reason: t(`library.reasonShort.${reason.code}`) })
  return (
    <button
      type="button"
      data-row={index}
      aria-current={on ? 'true' : undefined}
      className={`flex w-full items-center gap-3 border-0 border-b border-line px-8 text-start text-ui -outline-offset-2! max-[1000px]:px-5 ${on ? 'bg-seal-wash' : 'bg-transparent hover:bg-hover'}`}
      style={{ height: rowHeight }}
      onClick={() => void openDocument(document.id, status === 'ready' && unreachableSince === null ? 'original' : 'read')}
      onKeyDown={(event) => moveFocus(event, index)}
    >
      <Icon size={17} strokeWidth={1.4} className="flex-none text-ink-2" aria-hidden="true" />
      <span className="min-w-0 flex-1">
        <span className="block truncate leading-[1.35]">{document.name}</span>
        <span className="block truncate text-tiny leading-[1.3] text-ink-3" title={document.path}>
          {where}
        </span>
      </span>
      <span className="flex w-52 flex-none items-center gap-2 text-small text-ink-2 @max-[960px]:w-36 @max-[480px]:w-24">
        <StatusDot status={status} />
        <span className="truncate" title={state}>
          {state}
        </span>
      </span>
      <span className="w-20 flex-none text-end text-small text-ink-2 tabular-nums @max-[480px]:hidden">
        {t('library.passagesShort', { count: document.passages, passages: format.count(document.passages) })}
      </span>
      <span data-bytes={document.sizeBytes} className="w-18 flex-none text-end text-small text-ink-2 tabular-nums @max-[640px]:hidden">
        {format.bytes(document.sizeBytes)}
      </span>
      <span className="w-28 flex-none text-end text-small text-ink-2 tabular-nums @max-[800px]:hidden">
        {format.date(document.modifiedAt)}
      </span>
    </button>
  )
})
