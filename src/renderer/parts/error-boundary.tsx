import { Component, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ProblemPanel } from './state-panel.tsx'

function Broken({ message, onRetry }: { message: string; onRetry: () => void }) {
  const { t } = useTranslation()
  return (
    <div className="min-w-0 flex-1">
      <ProblemPanel problem={{ code: 'internal', message, retryable: true }} onRetry={onRetry}>
        {t('common.partBroken')}
      </ProblemPanel>
    </div>
  )
}

interface Props {
  /** Another one begins anew. */
  resetKey?: string
  children: ReactNode
}

/** What breaks while it is drawn takes only its own place along. The second try of the same place loads the page anew. */
export class ErrorBoundary extends Component<Props, { message: string | null; tries: number; key: string | undefined }> {
  override state = { message: null as string | null, tries: 0, key: this.props.resetKey }

  static getDerivedStateFromError(error: unknown) {
    return { message: error instanceof Error ? error.message : String(error) }
  }

  static getDerivedStateFromProps(props: Props, state: { key: string | undefined }) {
    return props.resetKey === state.key ? null : { key: props.resetKey, message: null, tries: 0 }
  }

  override render() {
    const { message, tries } = this.state
    if (message === null) return this.props.children
    const retry = () => (tries > 0 ? location.reload() : this.setState({ message: null, tries: tries + 1 }))
    return <Broken message={message} onRetry={retry} />
  }
}
