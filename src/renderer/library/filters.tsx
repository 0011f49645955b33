import { Check, ChevronDown, Search, X } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { useTranslation } from 'react-i18next'
import type { DocumentKind, DocumentStatus, Folder } from '../../contract/library.ts'
import { useFormat } from '../format.ts'

const statusChoices: DocumentStatus[] = ['ready', 'partial', 'failed', 'skipped', 'waiting', 'reading']
const kindChoices: DocumentKind[] = ['pdf', 'markdown', 'text', 'html', 'code', 'unknown']

interface ChoiceProps<Value extends string> {
  label: string
  choices: Value[]
  chosen: Value[]
  name: (value: Value) => string
  onChange: (chosen: Value[]) => void
}

function Choices<Value extends string>({ label, choices, chosen, name, onChange }: ChoiceProps<Value>) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>
        <button type="button" className="pill" aria-pressed={chosen.length > 0}>
          {chosen.length === 0 ? label : chosen.map(name).join(', ')}
          <ChevronDown size={13} strokeWidth={1.8} aria-hidden="true" />
        </button>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" align="start" sideOffset={6}>
          {choices.map((value) => (
            <DropdownMenu.CheckboxItem
              key={value}
              className="menu-item"
              checked={chosen.includes(value)}
              onSelect={(event) => event.preventDefault()}
              onCheckedChange={(on) => onChange(on ? [...chosen, value] : chosen.filter((each) => each !== value))}
            >
              <span className="w-4 flex-none">
                <DropdownMenu.ItemIndicator>
                  <Check size={15} strokeWidth={1.8} aria-hidden="true" />
                </DropdownMenu.ItemIndicator>
              </span>
              {name(value)}
            </DropdownMenu.CheckboxItem>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

interface Props {
  folder: Folder | null
  total: number | null
  statuses: DocumentStatus[]
  kinds: DocumentKind[]
  name: string
  onStatuses: (statuses: DocumentStatus[]) => void
  onKinds: (kinds: DocumentKind[]) => void
  onName: (name: string) => void
  onAllFolders: () => void
}

export function Filters({ folder, total, statuses, kinds, name, onStatuses, onKinds, onName, onAllFolders }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <div className="flex flex-wrap items-center gap-2">
      <h2 className="me-1 text-ui font-semibold">{t('library.documents')}</h2>
      <div className="relative w-56">
        <Search size={14} strokeWidth={1.6} className="pointer-events-none absolute start-2.5 top-2 text-ink-3" aria-hidden="true" />
        <input
          type="search"
          className="field min-h-7.5! ps-8 text-small"
          placeholder={t('library.filterName')}
          aria-label={t('library.filterName')}
          value={name}
          onChange={(event) => onName(event.target.value)}
        />
      </div>
      <Choices
        label={t('library.anyStatus')}
        choices={statusChoices}
        chosen={statuses}
        name={(value) => t(`library.status.${value}`)}
        onChange={onStatuses}
      />
      <Choices
        label={t('library.anyKind')}
        choices={kindChoices}
        chosen={kinds}
        name={(value) => t(`library.kind.${value}`)}
        onChange={onKinds}
      />
      {folder !== null && (
        <button type="button" className="pill" aria-pressed="true" aria-label={t('library.allFolders')} onClick={onAllFolders}>
          {folder.sample ? t('library.sampleName') : folder.name}
          <X size={13} strokeWidth={1.8} aria-hidden="true" />
        </button>
      )}
      <span role="status" className="ms-auto text-small text-ink-2 tabular-nums">
        {total === null ? '' : t('library.found', { count: total, documents: format.count(total) })}
      </span>
    </div>
  )
}
