import { useReader } from '../state/reader.ts'

interface Props {
  marker: number
  label: string
  onOpen?: (chip: Element) => void
  on?: boolean
}

/** The number of a citation. With `onOpen` it opens its place. */
export function Chip({ marker, label, onOpen, on = false }: Props) {
  if (onOpen === undefined) {
    return (
      <span className="chip" data-on={on}>
        {marker}
      </span>
    )
  }
  return (
    <button type="button" className="chip" data-on={on} aria-label={label} title={label} onClick={(event) => onOpen(event.currentTarget)}>
      {marker}
    </button>
  )
}

/** The marker that is open in the reader, of one turn; null when it is another's. */
export function useOpenMarker(turnId: string): number | null {
  return useReader((state) => (state.open && state.trail?.turnId === turnId ? state.trail.marker : null))
}
