import { useTranslation } from 'react-i18next'
import { bridge } from '../bridge.ts'
import { useConnection } from '../client.ts'

/** Says that the connection is gone and being tried again; nothing that is shown is lost meanwhile. */
export function ConnectionBar() {
  const { t } = useTranslation()
  const { state, failures, generation, gone } = useConnection()
  const closed = gone && bridge() === undefined
  return (
    <div role="status" className="flex-none">
      {state === 'lost' && (
        <p className="appear flex items-center justify-center gap-3 border-b border-line bg-warn-wash px-4 py-1.5 text-small text-ink">
          {closed ? <span className="dot" data-tone="bad" aria-hidden="true" /> : <span className="spinner" aria-hidden="true" />}
          {t(generation === 0 && failures > 2 ? 'common.connectionNever' : closed ? 'common.connectionGone' : 'common.connectionLost')}
        </p>
      )}
    </div>
  )
}
