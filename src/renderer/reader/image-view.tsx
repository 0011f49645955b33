import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DocumentRow } from '../../contract/library.ts'
import type { Place } from '../../contract/place.ts'
import { SectionsView } from './sections-view.tsx'

interface Props {
  document: DocumentRow
  place: Place | null
  quote: string
}

/** The picture itself, as wide as there is room, with the cited passage marked on it. What no browser shows is given as text. */
export function ImageView({ document, place, quote }: Props) {
  const { t } = useTranslation()
  const [shown, setShown] = useState<'loading' | 'yes' | 'no'>('loading')
  const first = useRef<HTMLDivElement>(null)
  const boxes = place?.kind === 'page' && place.page === 1 ? (place.boxes ?? []).filter((box) => box.page === 1) : []
  useEffect(() => {
    if (shown === 'yes') first.current?.scrollIntoView({ block: 'center' })
  }, [shown, place])
  if (shown === 'no') {
    return (
      <div className="flex h-full min-h-0 flex-col">
        <p className="flex-none border-b border-line bg-paper px-4.5 py-2 text-small text-ink-2">{t('library.pictureNotShown')}</p>
        <div className="min-h-0 flex-1">
          <SectionsView document={document} place={place} quote={quote} places />
        </div>
      </div>
    )
  }
  return (
    <div className="h-full overflow-auto p-4" tabIndex={0} role="group" aria-label={document.name}>
      <div className="pdf-page w-fit max-w-full">
        <img
          className="block h-auto max-w-full"
          src={new URL(`document/${document.id}?${document.modifiedAt}`, window.document.baseURI).href}
          alt={document.name}
          onLoad={() => setShown('yes')}
          onError={() => setShown('no')}
        />
        {boxes.map((box, index) => (
          <div
            key={index}
            ref={index === 0 ? first : null}
            className="pdf-mark"
            style={{ left: `${box.x * 100}%`, top: `${box.y * 100}%`, width: `${box.width * 100}%`, height: `${box.height * 100}%` }}
          />
        ))}
      </div>
    </div>
  )
}
