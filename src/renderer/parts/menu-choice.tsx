import { Check } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import type { ComponentProps } from 'react'

/** One of the things that a menu lets one choose, ticked when it is chosen. */
export function MenuChoice({ children, ...item }: ComponentProps<typeof DropdownMenu.CheckboxItem>) {
  return (
    <DropdownMenu.CheckboxItem className="menu-item" {...item}>
      <span className="w-4 flex-none">
        <DropdownMenu.ItemIndicator>
          <Check size={15} strokeWidth={1.8} aria-hidden="true" />
        </DropdownMenu.ItemIndicator>
      </span>
      {children}
    </DropdownMenu.CheckboxItem>
  )
}
