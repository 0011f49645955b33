import { useTranslation } from 'react-i18next'
import { setReaderWidth, useReader } from '../state/reader.ts'

const narrowest = 320
const step = 32

function widest(): number {
  return Math.max(narrowest, window.innerWidth - 76 - 400)
}

/** The edge of the reader: drag it, or move it with the arrow keys. */
export function Resizer() {
  const { t } = useTranslation()
  const width = useReader((state) => state.width)
  const now = Math.min(widest(), Math.max(narrowest, width))
  function resize(next: number) {
    setReaderWidth(Math.min(widest(), Math.max(narrowest, next)))
  }
  return (
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label={t('library.readerWidth')}
      aria-valuemin={narrowest}
      aria-valuemax={widest()}
      aria-valuenow={Math.round(now)}
      tabIndex={0}
      className="absolute inset-y-0 -start-1 z-10 w-2 cursor-col-resize hover:bg-line-2/60"
      onPointerDown={(event) => {
        event.preventDefault()
        event.currentTarget.setPointerCapture(event.pointerId)
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) resize(window.innerWidth - event.clientX)
      }}
      onKeyDown={(event) => {
        if (event.key === 'ArrowLeft') resize(now + step)
        else if (event.key === 'ArrowRight') resize(now - step)
        else return
        event.preventDefault()
      }}
    />
  )
}
