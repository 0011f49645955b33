import { ChevronDown, X } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { useTranslation } from 'react-i18next'
import { documentKindSchema, type DocumentStatus, type Folder } from '../../contract/library.ts'
import { useFormat } from '../format.ts'
import { folderName } from '../parts/folder-name.ts'
import { MenuChoice } from '../parts/menu-choice.tsx'
import { SearchField } from '../parts/search-field.tsx'
import { DatesChoice } from './dates-choice.tsx'
import { setFilter, useFilter } from './filter-state.ts'
import { sizeText } from './size-text.ts'

const statusChoices: DocumentStatus[] = ['ready', 'partial', 'failed', 'skipped', 'waiting', 'reading']

interface ChoiceProps<Value extends string> {
  label: string
  choices: readonly Value[]
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
            <MenuChoice
              key={value}

              checked={chosen.includes(value)}
              onSelect={(event) => event.preventDefault()}
              onCheckedChange={(on) => onChange(on ? [...chosen, value] : chosen.filter((each) => each !== value))}
            >
              {name(value)}
            </MenuChoice>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

interface Props {
  folder: Folder | null
  total: number | null
  /** Passages are looked for: they have no status, name or size. */
  searching: boolean
}

/** What of the library is shown; each filter that is on can be seen and taken off. */
export function Filters({ folder, total, searching }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const { statuses, kinds, name, dates, band } = useFilter()
  return (
    <div className="flex flex-wrap items-center gap-2">
      <h2 className="me-1 text-ui font-semibold">{t(searching ? 'library.passagesFound' : 'library.documents')}</h2>
      {!searching && (
        <div className="relative w-52">
          <SearchField small label={t('library.filterName')} value={name} onChange={(typed) => setFilter({ name: typed })} />
        </div>
      )}
      {!searching && (
        <Choices
          label={t('library.anyStatus')}
          choices={statusChoices}
          chosen={statuses}
          name={(value) => t(`library.status.${value}`)}
          onChange={(chosen) => setFilter({ statuses: chosen })}
        />
      )}
      <Choices
        label={t('library.anyKind')}
        choices={documentKindSchema.options}
        chosen={kinds}
        name={(value) => t(`library.kind.${value}`)}
        onChange={(chosen) => setFilter({ kinds: chosen })}
      />
      <DatesChoice dates={dates} onChange={(chosen) => setFilter({ dates: chosen })} />
      {band !== null && !searching && (
        <button
          type="button"
          className="pill"
          aria-pressed="true"
          aria-label={t('library.filterOff', { filter: sizeText(band, t, format) })}
          onClick={() => setFilter({ band: null })}
        >
          {sizeText(band, t, format)}
          <X size={13} strokeWidth={1.8} aria-hidden="true" />
        </button>
      )}
      {folder !== null && (
        <button
          type="button"
          className="pill"
          aria-pressed="true"
          aria-label={t('library.filterOff', { filter: folderName(folder, t) })}
          onClick={() => setFilter({ folderId: null })}
        >
          {folderName(folder, t)}
          <X size={13} strokeWidth={1.8} aria-hidden="true" />
        </button>
      )}
      <span role="status" className="ms-auto text-small text-ink-2 tabular-nums">
        {total === null ? '' : t('library.found', { count: total, documents: format.count(total) })}
      </span>
    </div>
  )
}
