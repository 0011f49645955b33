import type { IndexProgress } from '../../contract/library.ts'
import type { SikuError } from '../../contract/errors.ts'

/** Something that stops the whole work. It is tried again by itself. */
export type Trouble = NonNullable<IndexProgress['trouble']>

export function toTrouble(error: SikuError): Trouble {
  return { code: error.code, message: error.message, ...(error.hint === undefined ? {} : { hint: error.hint }) }
}
