import { z } from 'zod'

const position = z.number().int().min(1)

/** A box on a page in fractions of the page's width and height, origin at the top left. */
export const boxSchema = z.object({
  page: position,
  x: z.number(),
  y: z.number(),
  width: z.number(),
  height: z.number(),
})
export type Box = z.infer<typeof boxSchema>

/** Where a passage stands in its document. Numbers start at 1, ranges include both ends. */
export const placeSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('page'),
    page: position,
    toPage: position.optional(),
    /** Where in the passage's text its pages after the first begin (UTF-16). */
    pageStarts: z.array(z.object({ page: position, at: z.number().int().min(0) })).optional(),
    boxes: z.array(boxSchema).optional(),
  }),
  z.object({ kind: z.literal('lines'), from: position, to: position, heading: z.array(z.string()).optional() }),
  z.object({ kind: z.literal('section'), heading: z.array(z.string()), from: position, to: position }),
  /** `sheet` is empty in a file of separated values. */
  z.object({ kind: z.literal('sheet'), sheet: z.string(), from: position, to: position }),
  z.object({ kind: z.literal('slide'), slide: position }),
  z.object({ kind: z.literal('chapter'), chapter: z.string(), from: position.optional(), to: position.optional() }),
  z.object({ kind: z.literal('message'), message: z.string() }),
  /** Of a recording: whole seconds from its beginning, the first is 0. */
  z.object({ kind: z.literal('time'), from: z.number().int().min(0), to: z.number().int().min(0) }),
])
export type Place = z.infer<typeof placeSchema>

/** A file and one of its sheets, where it has sheets. */
export function fileAndSheet(file: string, sheet: string): string {
  return sheet === '' ? file : `${file} › ${sheet}`
}

/** Seconds from the beginning as 00:12, from an hour on as 01:02:03. */
export function timeText(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const parts = [Math.floor(whole / 60) % 60, whole % 60]
  return (whole < 3600 ? parts : [Math.floor(whole / 3600), ...parts]).map((part) => String(part).padStart(2, '0')).join(':')
}
