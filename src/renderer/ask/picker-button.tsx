import { ChevronDown } from 'lucide-react'
import type { ComponentProps } from 'react'

/** Opens what the next question can be given; shows what it is given now. */
export function PickerButton({ className = 'max-w-60 min-w-24', children, ...button }: ComponentProps<'button'>) {
  return (
    <button type="button" className={`pill ${className}`} {...button}>
      {children}
      <ChevronDown size={13} strokeWidth={1.8} className="flex-none" aria-hidden="true" />
    </button>
  )
}
