import type { ReactNode } from 'react'

/** One matter of the settings: its name on the left, its choices on the right. */
export function Section({ id, title, text, children }: { id?: string; title: string; text?: string; children: ReactNode }) {
  return (
    <section
      id={id === undefined ? undefined : `section-${id}`}
      aria-label={title}
      tabIndex={-1}
      className="grid grid-cols-[210px_minmax(0,1fr)] gap-x-8 gap-y-2 border-b border-line scroll-mt-2 py-6 outline-none last:border-b-0 max-[1000px]:grid-cols-1"
    >
      <div>
        <h2 className="font-semibold">{title}</h2>
        {text !== undefined && <p className="mt-0.5 text-small text-ink-2">{text}</p>}
      </div>
      <div className="min-w-0 [&>label:first-child]:-mt-2.5">{children}</div>
    </section>
  )
}
