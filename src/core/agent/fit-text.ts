type EstimateTokens = (text: string) => number

/** How many characters of a text's beginning take no more than so many tokens; all of them when they do. */
export function fittingCharacters(text: string, mostTokens: number, estimateTokens: EstimateTokens): number {
  let length = text.length
  for (let tokens = estimateTokens(text); tokens > mostTokens && length > 1; tokens = estimateTokens(text.slice(0, length)))
    length = Math.max(1, Math.min(length - 1, Math.floor((length * mostTokens * 0.98) / tokens)))
  return length
}

/** The first of a list that together take no more than so many tokens. */
export function fittingFirst<Item>(items: Item[], mostTokens: number, tokensOf: (item: Item) => number): Item[] {
  let left = mostTokens
  const fitting: Item[] = []
  for (const item of items) {
    left -= tokensOf(item)
    if (left < 0) break
    fitting.push(item)
  }
  return fitting
}
