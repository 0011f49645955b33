/** Measured fastest and smallest: more only needs more memory. */
export const batchTokens = 1024

/**
 * Batches of similar length, longest first, each at most `maxTokens` with its padding (a longer text is one by itself).
 * Values are indices into `lengths`.
 */
export function planBatches(lengths: readonly number[], maxTokens = batchTokens): number[][] {
  const order = lengths.map((_, index) => index).sort((a, b) => lengths[b]! - lengths[a]! || a - b)
  const batches: number[][] = []
  let batch: number[] = []
  for (const index of order) {
    const longest = batch.length === 0 ? 0 : lengths[batch[0]!]!
    if (batch.length > 0 && (batch.length + 1) * longest > maxTokens) {
      batches.push(batch)
      batch = []
    }
    batch.push(index)
  }
  if (batch.length > 0) batches.push(batch)
  return batches
}
