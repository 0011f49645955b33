import { ChevronDown, ChevronUp, Minus, PanelLeft, Plus } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../parts/icon-button.tsx'
import { isEnter } from '../parts/keys.ts'

function PageBox({ page, pages, onGo }: { page: number; pages: number; onGo: (page: number) => void }) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState<string | null>(null)
  return (
    <label className="flex items-center gap-1.5 tabular-nums">
      <span className="sr-only">{t('library.page')}</span>
      <input
        className="field min-h-6.5! w-11! px-1! py-0! text-center text-small"
        inputMode="numeric"
        value={typed ?? String(page)}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={() => setTyped(null)}
        onKeyDown={(event) => {
          if (!isEnter(event)) return
          const wanted = Number(typed)
          if (Number.isInteger(wanted) && wanted >= 1 && wanted <= pages) onGo(wanted)
          setTyped(null)
        }}
      />
      {`/ ${pages}`}
    </label>
  )
}

interface Props {
  page: number
  pages: number
  /** 1 is as wide as there is room. */
  zoom: number
  thumbnails: boolean
  onGo: (page: number) => void
  onZoom: (step: 1 | 0 | -1) => void
  onThumbnails: () => void
}

/** Page, zoom, and whether the small pages are shown. */
export function PdfBar({ page, pages, zoom, thumbnails, onGo, onZoom, onThumbnails }: Props) {
  const { t } = useTranslation()
  return (
    <div className="relative flex h-9 flex-none items-center justify-center gap-1 border-b border-line bg-paper text-small text-ink-2">
      <IconButton
        className="absolute start-2.5 size-7 aria-pressed:bg-hover"
        label={t('library.thumbnails')}
        aria-pressed={thumbnails}
        onClick={onThumbnails}
      >
        <PanelLeft size={15} strokeWidth={1.6} />
      </IconButton>
      <button
        type="button"
        className="icon-button size-7"
        aria-label={t('library.pageBefore')}
        disabled={page <= 1}
        onClick={() => onGo(page - 1)}
      >
        <ChevronUp size={15} strokeWidth={1.6} />
      </button>
      <PageBox page={page} pages={pages} onGo={onGo} />
      <button
        type="button"
        className="icon-button size-7"
        aria-label={t('library.pageAfter')}
        disabled={page >= pages}
        onClick={() => onGo(page + 1)}
      >
        <ChevronDown size={15} strokeWidth={1.6} />
      </button>
      <span className="mx-2 h-4 border-s border-line" />
      <button type="button" className="icon-button size-7" aria-label={t('library.smaller')} onClick={() => onZoom(-1)}>
        <Minus size={15} strokeWidth={1.6} />
      </button>
      <button
        type="button"
        className="min-h-7 w-12 rounded-md border-0 bg-transparent p-0 text-center tabular-nums hover:bg-hover"
        title={t('library.fitWidth')}
        aria-label={`${Math.round(zoom * 100)}%, ${t('library.fitWidth')}`}
        onClick={() => onZoom(0)}
      >
        {`${Math.round(zoom * 100)}%`}
      </button>
      <button type="button" className="icon-button size-7" aria-label={t('library.larger')} onClick={() => onZoom(1)}>
        <Plus size={15} strokeWidth={1.6} />
      </button>
    </div>
  )
}
