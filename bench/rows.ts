/** One line of the table: what was measured, what came out, and what was aimed at. */
export interface Row {
  what: string
  figure: string
  target: string
}

export interface Part {
  rows: Row[]
  raw: unknown
}

export function row(what: string, figure: string, target = ''): Row {
  return { what, figure, target }
}

export const share = (value: number): string => value.toFixed(3)
export const times = (value: number): string => `${value.toFixed(2)} ×`
export const milliseconds = (value: number): string => `${value.toFixed(1)} ms`
