import { ChevronDown, type LucideIcon } from 'lucide-react'
import type { ComponentProps } from 'react'

interface PickerButtonProps extends ComponentProps<'button'> {
  /** Stands for the words where there is no room for them. */
  icon: LucideIcon
}

/** Opens what the next question can be given; shows what it is given now. */
export function PickerButton({ icon: Icon, className = 'max-w-60', children, ...button }: PickerButtonProps) {
  return (
    <button type="button" className={`pill ${className} min-w-12 @max-[600px]:px-2 @max-[420px]:min-w-0 @max-[420px]:px-1.75`} {...button}>
      <Icon size={15} strokeWidth={1.6} className="hidden flex-none @max-[420px]:block" aria-hidden="true" />
      {children}
      <ChevronDown size={13} strokeWidth={1.8} className="flex-none @max-[600px]:hidden" aria-hidden="true" />
    </button>
  )
}
