import { ChevronDown, type LucideIcon } from 'lucide-react'
import type { ComponentProps } from 'react'

interface Props extends ComponentProps<'button'> {
  icon: LucideIcon
}

/** Opens what the next question can be given; shows what it is given now. In a narrow composer only the icon stands for it. */
export function PickerButton({ icon: Icon, className = 'max-w-60', children, ...button }: Props) {
  return (
    <button
      type="button"
      title={button['aria-label']}
      className={`pill min-w-12 @max-[600px]:px-2 @max-[420px]:min-w-0 @max-[420px]:px-1.75 ${className}`}
      {...button}
    >
      <Icon size={15} strokeWidth={1.6} className="hidden flex-none @max-[420px]:block" aria-hidden="true" />
      {children}
      <ChevronDown size={13} strokeWidth={1.8} className="flex-none @max-[600px]:hidden" aria-hidden="true" />
    </button>
  )
}
