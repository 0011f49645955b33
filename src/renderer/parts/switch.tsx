interface Props {
  label: string
  detail?: string
  checked: boolean
  onChange: (checked: boolean) => void
}

function Knob({ label, checked, onChange }: { label?: string } & Pick<Props, 'checked' | 'onChange'>) {
  return (
    <span className="relative mt-0.5 inline-flex flex-none">
      <input
        type="checkbox"
        role="switch"
        aria-label={label}
        className="peer absolute inset-0 size-full cursor-pointer opacity-0"
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span className="h-5 w-9 rounded-full border border-line-2 bg-sunk transition-colors peer-checked:border-seal peer-checked:bg-seal peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-seal" />
      <span className="pointer-events-none absolute start-[3px] top-[3px] size-3.5 rounded-full bg-ink-3 transition-transform peer-checked:translate-x-4 peer-checked:bg-seal-ink" />
    </span>
  )
}

/** A switch with its words; the whole row can be clicked. */
export function Switch({ label, detail, checked, onChange }: Props) {
  return (
    <label className="flex cursor-pointer items-start gap-4 py-2.5">
      <span className="min-w-0 flex-1">
        <span className="block text-ui">{label}</span>
        {detail !== undefined && <span className="block text-small text-ink-2">{detail}</span>}
      </span>
      <Knob checked={checked} onChange={onChange} />
    </label>
  )
}

/** A switch alone, where its words stand beside it. */
export function Toggle({ label, checked, onChange }: Omit<Props, 'detail'>) {
  return <Knob label={label} checked={checked} onChange={onChange} />
}
