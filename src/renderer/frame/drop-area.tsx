import { FolderPlus } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { bridge } from '../bridge.ts'
import { useFormat } from '../format.ts'
import { receiveDrop } from '../state/drops.ts'
import { useRoute } from '../state/route.ts'
import { cancelUpload, useUpload } from '../state/upload.ts'

function holdsFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes('Files') === true
}

function onComposer(event: DragEvent): boolean {
  return event.target instanceof Element && event.target.closest('[data-takes-files]') !== null
}

/** Where dragged files would go, or null. Enter and leave are told apart by a count, as both bubble. */
function useDragging(): 'library' | 'composer' | null {
  const [dragging, setDragging] = useState<'library' | 'composer' | null>(null)
  useEffect(() => {
    let depth = 0
    function enter(event: DragEvent) {
      if (!holdsFiles(event)) return
      event.preventDefault()
      depth += 1
      setDragging(onComposer(event) ? 'composer' : 'library')
    }
    function leave(event: DragEvent) {
      if (!holdsFiles(event)) return
      depth = Math.max(0, depth - 1)
      if (depth === 0) setDragging(null)
    }
    function over(event: DragEvent) {
      if (!holdsFiles(event)) return
      event.preventDefault()
      if (event.dataTransfer !== null) event.dataTransfer.dropEffect = 'copy'
    }
    function drop(event: DragEvent) {
      if (!holdsFiles(event)) return
      event.preventDefault()
      depth = 0
      setDragging(null)
      // What falls on the composer goes along with the question, and that takes it itself.
      if (onComposer(event)) return
      if (event.dataTransfer !== null) void receiveDrop(event.dataTransfer)
    }
    window.addEventListener('dragenter', enter)
    window.addEventListener('dragleave', leave)
    window.addEventListener('dragover', over)
    window.addEventListener('drop', drop)
    return () => {
      window.removeEventListener('dragenter', enter)
      window.removeEventListener('dragleave', leave)
      window.removeEventListener('dragover', over)
      window.removeEventListener('drop', drop)
    }
  }, [])
  useEffect(() => {
    const { dataset } = document.documentElement
    if (dragging === null) delete dataset['dragging']
    else dataset['dragging'] = dragging
  }, [dragging])
  return dragging
}

/** How far the copying of what was dropped is, at the foot of the window: it takes room and covers nothing. */
export function UploadLine() {
  const { t } = useTranslation()
  const format = useFormat()
  const upload = useUpload()
  if (upload.phase === 'idle') return null
  const share = upload.totalBytes === 0 ? 0 : upload.doneBytes / upload.totalBytes
  return (
    <section
      role="status"
      aria-label={t('library.copying')}
      className="appear flex flex-none flex-wrap items-center gap-x-4 gap-y-1 border-t border-line bg-sheet px-5 py-2 text-ui"
    >
      <span className="font-semibold">{t(upload.phase === 'looking' ? 'library.looking' : 'library.copying')}</span>
      <div className="bar min-w-24 flex-1" data-tone={upload.phase === 'looking' ? 'waiting' : 'busy'}>
        <i style={{ width: `${share * 100}%` }} />
      </div>
      <span className="text-small text-ink-2 tabular-nums">
        {t('library.copyCounts', {
          done: format.count(upload.doneFiles),
          total: format.count(upload.totalFiles),
          bytes: format.bytes(upload.totalBytes),
        })}
        {upload.leftOut > 0 && ` · ${t('library.copyLeftOut', { count: upload.leftOut })}`}
      </span>
      <button type="button" className="button button-small" onClick={cancelUpload}>
        {t('common.cancel')}
      </button>
      <span className="basis-full text-small text-ink-2">{t('library.copyWhy')}</span>
    </section>
  )
}

/** Dropping works anywhere: the whole window shows where things will go. */
export function DropArea() {
  const { t } = useTranslation()
  const dragging = useDragging()
  const composer = useRoute((route) => route.screen === 'ask')
  return (
    dragging !== null && (
      <div className="appear pointer-events-none fixed inset-0 z-[70] grid place-items-center bg-paper/92 p-5">
        <div className="grid h-full w-full place-items-center rounded-lg border-2 border-dashed border-seal text-center">
          <div>
            <FolderPlus size={40} strokeWidth={1.2} className="mx-auto mb-4 text-seal" aria-hidden="true" />
            <p className="text-title font-semibold">{t('library.dropHere')}</p>
            <p className="mt-1 text-ink-2">{t(bridge() === undefined ? 'library.dropHereCopy' : 'library.dropHereText')}</p>
            {composer && <p className="mt-3 text-ui text-ink-2">{t('agent.attach.dropHere')}</p>}
          </div>
        </div>
      </div>
    )
  )
}
