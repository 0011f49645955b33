interface Props<Value extends string> {
  label: string
  value: Value
  choices: { value: Value; label: string; lang?: string }[]
  onChange: (value: Value) => void
}

/** A few choices of which one holds, as radio buttons in a row. */
export function Segments<Value extends string>({ label, value, choices, onChange }: Props<Value>) {
  return (
    <div role="radiogroup" aria-label={label} className="inline-flex flex-wrap rounded-md border border-line-2 bg-sunk p-0.5">
      {choices.map((choice) => (
        <label
          key={choice.value}
          lang={choice.lang}
          className="relative cursor-pointer rounded-[6px] px-3.5 py-1 text-ui text-ink-2 has-checked:bg-sheet has-checked:text-ink has-checked:ring-1 has-checked:ring-line-2 has-focus-visible:outline-2 has-focus-visible:outline-seal"
        >
          <input type="radio" className="sr-only" name={label} checked={choice.value === value} onChange={() => onChange(choice.value)} />
          {choice.label}
        </label>
      ))}
    </div>
  )
}
