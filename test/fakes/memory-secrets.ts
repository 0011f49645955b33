import type { Secrets } from '../../src/core/deps.ts'

/** Keys that last as long as the test. */
export function memorySecrets(): Secrets {
  const kept = new Map<string, string>()
  return {
    kind: 'owner-file',
    get: (name) => Promise.resolve(kept.get(name) ?? null),
    set: (name, value) => Promise.resolve(void kept.set(name, value)),
    remove: (name) => Promise.resolve(void kept.delete(name)),
  }
}
