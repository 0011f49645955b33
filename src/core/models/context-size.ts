const smallest = 4096
/** A window no larger is planned for unless it is loaded already: memory grows with it. */
const planned = 32_768

export interface ContextKnown {
  /** What the model can do; null when the server does not say. */
  maximum: number | null
  /** What it is loaded with just now; null when it is not. */
  loaded: number | null
}

/** A part of the prompt's tokens that an estimate may be wrong by. */
const margin = 0.06

/** The tokens that a request needs at least: the prompt with a margin, and room for the answer. */
export function neededTokens(promptTokens: number, maxTokens: number): number {
  return Math.ceil(promptTokens * (1 + margin)) + maxTokens
}

/**
 * The smallest of 4k, 8k, 16k, … that fits and that the model can do; what is loaded stays while it fits, because each
 * change loads the model again. Null: not even the largest window takes this prompt.
 */
export function chooseContext(
  promptTokens: number,
  maxTokens: number,
  { maximum, loaded }: ContextKnown,
  followedByTokens = 0,
): number | null {
  const limit = maximum ?? smallest
  // The answer may be shortened by the window's end, the prompt may not; a quarter of the answer must have room.
  if (neededTokens(promptTokens, Math.ceil(maxTokens / 4)) > limit) return null
  const needed = Math.min(Math.max(neededTokens(promptTokens, maxTokens), followedByTokens), limit)
  if (loaded !== null && loaded >= needed) return Math.min(loaded, limit)
  let size = smallest
  while (size < needed) size *= 2
  return Math.min(size, limit)
}

/** The window that a prompt may be planned for. */
export function plannedWindow({ maximum, loaded }: ContextKnown): number {
  return Math.min(maximum ?? smallest, Math.max(planned, loaded ?? 0))
}
