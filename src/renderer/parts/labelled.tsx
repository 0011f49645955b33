import type { ReactNode } from 'react'

interface Props {
  label: string
  /** What to know before filling it in. */
  detail?: string
  className?: string
  children: ReactNode
}

/** A field of a form under its name. */
export function Labelled({ label, detail, className = 'mt-3', children }: Props) {
  return (
    <label className={`block text-ui ${className}`.trimEnd()}>
      <span className="mb-1 block text-small text-ink-2">{label}</span>
      {children}
      {detail !== undefined && <span className="mt-1 block text-small text-ink-2">{detail}</span>}
    </label>
  )
}
