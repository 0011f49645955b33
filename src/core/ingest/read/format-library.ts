import XLSX from '@e965/xlsx'
import { z } from 'zod'
import type { FormatLibrary } from './cell-format.ts'

const daySchema = z.object({ y: z.number(), m: z.number(), d: z.number(), q: z.number() })

/** The library's types leave this part open. */
const builtIn = z.record(z.string(), z.string()).parse(XLSX.SSF.get_table())

export const formatLibrary: FormatLibrary = {
  format: (code, value) => z.string().parse(XLSX.SSF.format(code, value)),
  dayOf(days, date1904) {
    const day = daySchema.safeParse(XLSX.SSF.parse_date_code(days, { date1904 })).data
    return day === undefined ? null : { year: day.y, month: day.m, day: day.d, weekday: day.q }
  },
  builtIn,
}
