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
  z.object({ kind: z.literal('sheet'), sheet: z.string(), from: position, to: position }),
  z.object({ kind: z.literal('slide'), slide: position }),
  z.object({ kind: z.literal('chapter'), chapter: z.string(), from: position.optional(), to: position.optional() }),
  z.object({ kind: z.literal('message'), message: z.string() }),
])
export type Place = z.infer<typeof placeSchema>
