import { BookOpen, CircleHelp, FilePen, Globe, SquareTerminal, type LucideIcon } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { ToolAccess } from '../../contract/tools.ts'

const icons: Record<ToolAccess, LucideIcon> = { read: BookOpen, write: FilePen, network: Globe, run: SquareTerminal }

export function AccessIcon({ access, size = 14 }: { access: ToolAccess | null; size?: number }) {
  const Icon = access === null ? CircleHelp : icons[access]
  return <Icon size={size} strokeWidth={1.6} className="flex-none text-ink-3" aria-hidden="true" />
}

/** What a tool may do, in a word. */
export function AccessBadge({ access }: { access: ToolAccess }) {
  const { t } = useTranslation()
  return (
    <span className="tag gap-1" title={t(`tools.accessText.${access}`)}>
      <AccessIcon access={access} size={11} />
      {t(`tools.access.${access}`)}
    </span>
  )
}
