import type { Usage } from '../../contract/models.ts'

export interface UsageSum {
  add(usage: Usage | null): void
  readonly total: Usage | null
}

/** What all rounds of a turn took together. */
export function createUsageSum(onChange: (total: Usage) => void): UsageSum {
  let total: Usage | null = null
  const plus = (a: number | null, b: number | null): number | null => (a === null ? b : b === null ? a : a + b)
  return {
    add(usage) {
      if (usage === null) return
      total =
        total === null
          ? usage
          : {
              promptTokens: plus(total.promptTokens, usage.promptTokens),
              completionTokens: plus(total.completionTokens, usage.completionTokens),
              totalTokens: plus(total.totalTokens, usage.totalTokens),
              loadMs: plus(total.loadMs, usage.loadMs),
              promptMs: plus(total.promptMs, usage.promptMs),
              completionMs: plus(total.completionMs, usage.completionMs),
            }
      onChange(total)
    },
    get total() {
      return total
    },
  }
}
