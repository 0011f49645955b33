import type { Usage } from '../../contract/models.ts'

/** Counts and times as they can be kept: what a server says of itself is now and then a fraction, below nothing or out of reach. */
export function plainUsage(usage: Usage): Usage {
  const { promptTokens, completionTokens, totalTokens, loadMs, promptMs, completionMs } = usage
  return {
    promptTokens: count(promptTokens),
    completionTokens: count(completionTokens),
    totalTokens: count(totalTokens),
    loadMs: plain(loadMs),
    promptMs: plain(promptMs),
    completionMs: plain(completionMs),
  }
}

function plain(value: number | null): number | null {
  return value !== null && value >= 0 && value <= Number.MAX_SAFE_INTEGER ? value : null
}

function count(value: number | null): number | null {
  const number = plain(value)
  return number === null ? null : Math.round(number)
}
