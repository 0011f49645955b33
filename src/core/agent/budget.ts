/** What a turn, or a helper in it, may use. Each number is an upper limit. */
export interface Limits {
  steps: number
  calls: number
  tokens: number
  ms: number
}

export interface Budget {
  step(): void
  /** A model request of a helper, its last words too; false when the turn's helpers have made all that they may. */
  takeHelperRound(): boolean
  /** False when there is none left: then nothing is taken, and the turn comes to its end. */
  takeCall(): boolean
  tokens(count: number): void
  /** Time that the user took to answer does not count. */
  waited(ms: number): void
  /** Why no further round may begin; null when one may. */
  over(): 'step-limit' | 'budget' | null
  remainingMs(): number
  /** What the last words may take, however much was used: the less, the less was allowed. */
  lastWordsMs(): number
  /** A share of what is left, for a helper: what it uses counts here too. */
  part(share: { steps: number; of: number }): Budget
}

export function createBudget(limits: Limits, now: () => number, parent: Budget | null = null): Budget {
  const startedAt = now()
  let steps = 0
  let helperRounds = 0
  const mostHelperRounds = Math.max(1, 2 * limits.steps - 2)
  let calls = 0
  let wantedMore = false
  let tokens = 0
  let waitedMs = 0
  const remainingMs = (): number => Math.max(0, Math.min(limits.ms - (now() - startedAt - waitedMs), parent?.remainingMs() ?? Infinity))
  const budget: Budget = {
    step() {
      steps += 1
    },
    takeHelperRound() {
      if (parent !== null) return parent.takeHelperRound()
      if (helperRounds >= mostHelperRounds) return false
      helperRounds += 1
      return true
    },
    takeCall() {
      wantedMore ||= calls >= limits.calls || parent?.takeCall() === false
      if (!wantedMore) calls += 1
      return !wantedMore
    },
    tokens(count) {
      tokens += count
      parent?.tokens(count)
    },
    waited(ms) {
      waitedMs += ms
      parent?.waited(ms)
    },
    over() {
      if (steps >= limits.steps) return 'step-limit'
      if (wantedMore || tokens >= limits.tokens || remainingMs() <= 0) return 'budget'
      return parent?.over() === 'budget' ? 'budget' : null
    },
    remainingMs,
    lastWordsMs: () => Math.max(remainingMs(), Math.min(60_000, Math.max(20_000, limits.ms / 4))),
    part(share) {
      const left = (limit: number, used: number): number => Math.max(1, Math.floor((limit - used) * share.of))
      const own: Limits = {
        steps: share.steps,
        calls: left(limits.calls, calls),
        tokens: left(limits.tokens, tokens),
        ms: Math.max(1, remainingMs() * share.of),
      }
      return createBudget(own, now, budget)
    },
  }
  return budget
}
