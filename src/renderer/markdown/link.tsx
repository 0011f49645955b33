import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { bridge } from '../bridge.ts'
import { Dialog } from '../parts/dialog.tsx'

function webAddress(href: string): URL | null {
  const url = URL.parse(href)
  return url !== null && (url.protocol === 'http:' || url.protocol === 'https:') ? url : null
}

function openOutside(url: URL): void {
  window.open(url.href, '_blank', 'noopener,noreferrer')
}

/** A link out of the app: only http and https, and only after a look at the whole address. The Electron host asks that itself. */
export function Link({ href, children }: { href: string; children: ReactNode }) {
  const { t } = useTranslation()
  const [asking, setAsking] = useState(false)
  const url = webAddress(href)
  if (url === null) return <>{children}</>
  function follow() {
    if (url === null) return
    if (bridge() === undefined) setAsking(true)
    else openOutside(url)
  }
  return (
    <>
      {/* No button: that is a block of its own in which a long address does not flow with the text. No href: nothing leads out unasked. */}
      <span
        role="link"
        tabIndex={0}
        className="link"
        title={url.href}
        onClick={follow}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          // Else the same key presses what the dialog gives the focus to.
          event.preventDefault()
          follow()
        }}
      >
        {children}
      </span>
      {asking && (
        <Dialog title={t('common.openLink')} onClose={() => setAsking(false)}>
          <p className="text-ui text-ink-2">{t('common.openLinkText')}</p>
          <p className="my-3 rounded-md bg-sunk px-3 py-2 font-mono text-small break-all">
            <span className="text-ink-2">{`${url.protocol}//`}</span>
            <b>{url.host}</b>
            <span className="text-ink-2">{url.href.slice(url.href.indexOf(url.host) + url.host.length)}</span>
          </p>
          <div className="flex justify-end gap-2 pt-2">
            <button type="button" className="button" autoFocus onClick={() => setAsking(false)}>
              {t('common.cancel')}
            </button>
            <button
              type="button"
              className="button button-primary"
              onClick={() => {
                openOutside(url)
                setAsking(false)
              }}
            >
              {t('common.open')}
            </button>
          </div>
        </Dialog>
      )}
    </>
  )
}
