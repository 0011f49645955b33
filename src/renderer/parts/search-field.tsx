import { Search } from 'lucide-react'
import type { ComponentProps } from 'react'

interface Props extends Omit<ComponentProps<'input'>, 'type' | 'placeholder' | 'aria-label' | 'onChange'> {
  /** Read out, and shown while nothing is typed. */
  label: string
  onChange: (text: string) => void
  small?: boolean
}

/** Fills the nearest box that is positioned. */
export function SearchField({ label, onChange, small = false, ...input }: Props) {
  return (
    <>
      <Search
        size={14}
        strokeWidth={1.6}
        className={`pointer-events-none absolute start-2.5 text-ink-3 ${small ? 'top-2' : 'top-2.5'}`}
        aria-hidden="true"
      />
      <input
        type="search"
        className={`field ps-8 ${small ? 'min-h-7.5! text-small' : ''}`.trimEnd()}
        placeholder={label}
        aria-label={label}
        onChange={(event) => onChange(event.target.value)}
        {...input}
      />
    </>
  )
}
