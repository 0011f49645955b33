import { createHash } from 'node:crypto'

/** JSON with the keys of every object in order, so that equal values have equal texts. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(ordered(value)) ?? 'null'
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered)
  if (typeof value !== 'object' || value === null) return value
  const json = 'toJSON' in value && typeof value.toJSON === 'function' ? (value.toJSON as () => unknown)() : value
  if (typeof json !== 'object' || json === null) return json
  return Object.fromEntries(
    Object.entries(json)
      .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
      .map(([key, each]) => [key, ordered(each)]),
  )
}

/** SHA-256 in hex of what the user is shown: it binds an approval to exactly that. */
export function digestOf(call: { tool: string; site: string; arguments: unknown }): string {
  return createHash('sha256')
    .update(canonicalJson({ tool: call.tool, site: call.site, arguments: call.arguments }))
    .digest('hex')
}

export function deepFreeze<T>(value: T): T {
  // Bytes cannot be frozen.
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value) && !ArrayBuffer.isView(value)) {
    Object.freeze(value)
    for (const each of Object.values(value)) deepFreeze(each)
  }
  return value
}
