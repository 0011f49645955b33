import { ChevronRight } from 'lucide-react'

/** Points at what a `details` of the class `group` folds, and turns when that is open. */
export function FoldMark({ className = '' }: { className?: string }) {
  return (
    <ChevronRight
      size={13}
      strokeWidth={1.8}
      className={`text-ink-3 transition-transform group-open:rotate-90 ${className}`.trimEnd()}
      aria-hidden="true"
    />
  )
}
