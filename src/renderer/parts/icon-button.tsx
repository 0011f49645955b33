import type { ComponentProps } from 'react'

interface Props extends Omit<ComponentProps<'button'>, 'type' | 'aria-label'> {
  label: string
}

/** A button that is only an icon: what it does is read out, and shown at the pointer. */
export function IconButton({ label, title = label, className = '', ...button }: Props) {
  return <button type="button" className={`icon-button ${className}`.trimEnd()} aria-label={label} title={title} {...button} />
}
