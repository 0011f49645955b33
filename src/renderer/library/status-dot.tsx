import type { DocumentStatus } from '../../contract/library.ts'

const tones: Record<DocumentStatus, string> = {
  waiting: 'none',
  reading: 'busy',
  ready: 'ok',
  partial: 'warn',
  failed: 'bad',
  skipped: 'none',
}

export function StatusDot({ status }: { status: DocumentStatus }) {
  return <span className="dot" data-tone={tones[status]} aria-hidden="true" />
}
