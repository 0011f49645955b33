import { useEffect, useState, type ComponentType, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useConnection } from '../client.ts'
import { Dialog } from './dialog.tsx'
import { LoadingPanel, ProblemPanel } from './state-panel.tsx'

type Later<Props extends object> = ComponentType<Props> & {
  /** Fetches the part before it is wanted. A failure is nothing: it is tried again when it is. */
  preload: () => void
}

const waiting = (
  <div className="flex-1">
    <LoadingPanel />
  </div>
)

/** How often a part is asked for again before the page itself is loaded anew. */
const triesBeforeReload = 1

function Failed({ dialog, onRetry, onClose }: { dialog: boolean; onRetry: () => void; onClose: () => void }) {
  const { t } = useTranslation()
  const panel = (
    <ProblemPanel problem={{ code: 'network', message: '', retryable: true }} onRetry={onRetry}>
      {t('common.partMissing')}
    </ProblemPanel>
  )
  return dialog ? (
    <Dialog title={t('common.partMissingTitle')} onClose={onClose}>
      {panel}
    </Dialog>
  ) : (
    <div className="min-w-0 flex-1">{panel}</div>
  )
}

/**
 * A part of the interface that is fetched when it is first shown. One that cannot be fetched says so in its own place, and is
 * asked for again with every new connection: what else is on the screen stays. `dialog`: it lies over the page.
 */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { dialog = false, fallback }: { dialog?: boolean; fallback?: ReactNode } = {},
): Later<Props> {
  let ready: ComponentType<Props> | null = null
  let coming: Promise<ComponentType<Props>> | null = null
  function fetchIt(): Promise<ComponentType<Props>> {
    coming ??= load().then(
      (component) => (ready = component),
      (error: unknown) => {
        coming = null
        throw error
      },
    )
    return coming
  }
  function Part(props: Props) {
    const [Inner, setInner] = useState<ComponentType<Props> | null>(() => ready)
    const [failures, setFailures] = useState(0)
    const [attempt, setAttempt] = useState(0)
    const generation = useConnection((connection) => connection.generation)
    const there = Inner !== null
    useEffect(() => {
      if (there) return
      let alive = true
      fetchIt().then(
        (component) => alive && setInner(() => component),
        () => alive && setFailures((before) => before + 1),
      )
      return () => {
        alive = false
      }
    }, [there, attempt, generation])
    if (Inner !== null) return <Inner {...props} />
    if (failures === 0) return dialog ? null : (fallback ?? waiting)
    function retry() {
      // Some browsers keep a failed module for the life of the page.
      if (failures > triesBeforeReload && useConnection.getState().state === 'open') location.reload()
      else setAttempt((before) => before + 1)
    }
    const onClose = 'onClose' in props && typeof props.onClose === 'function' ? (props.onClose as () => void) : () => undefined
    return <Failed dialog={dialog} onRetry={retry} onClose={onClose} />
  }
  return Object.assign(Part, { preload: () => void fetchIt().catch(() => undefined) })
}
