import { settingsSchema, type Settings } from '../../contract/settings.ts'
import { parseJson, type ReadContext } from './read-context.ts'

const notJson = Symbol('not JSON')

type Key = keyof typeof settingsSchema.shape

/** Each setting for itself: one that cannot be understood takes its default and is named, the others stay. */
export function readSettings(context: ReadContext): { settings: Settings; damaged: string[] } {
  const rows = context.all<{ key: string; value: string }>('SELECT key, value FROM settings')
  const good: Record<string, unknown> = {}
  const damaged: string[] = []
  for (const row of rows) {
    if (!Object.hasOwn(settingsSchema.shape, row.key)) continue
    // The defaults stand in for undefined only, and no JSON text gives that.
    const value = row.value === 'null' ? null : (parseJson(row.value) ?? notJson)
    const parsed = settingsSchema.shape[row.key as Key].safeParse(value)
    if (parsed.success) good[row.key] = parsed.data
    else damaged.push(row.key)
  }
  return { settings: settingsSchema.parse(good), damaged }
}
