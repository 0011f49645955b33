/** One type for whatever turns text into vectors. */

export interface EmbedInput {
  text: string
  /** The model's own token ids of `text`, without prefix and special tokens, when it was tokenised before. */
  tokenIds?: Int32Array
}

/** A bad passage is isolated and marked; the rest of its batch goes on. */
export type EmbedOutcome = { kind: 'ok'; vector: Float32Array } | { kind: 'bad'; reason: string }

export interface EmbeddingModel {
  /** Provider, name, weights and dimensions: vectors of different keys never mix. */
  key: string
  dimensions: number
  /** Tokens that one text may have, prefix and special tokens included. */
  maxTokens: number
}

export interface Embedder {
  /** Loads what is needed; rejects with a SikuError (`embedding`, `model-config`, `model-unreachable`, …). Cheap when done before. */
  open(signal?: AbortSignal): Promise<EmbeddingModel>
  /** One outcome for each input, in order. Rejects only when nothing at all could be embedded (unreachable, cancelled). */
  embedPassages(inputs: EmbedInput[], options?: { signal?: AbortSignal }): Promise<EmbedOutcome[]>
  /** A unit vector. Goes before waiting passages. */
  embedQuestion(text: string, options?: { signal?: AbortSignal }): Promise<Float32Array>
  close(): Promise<void>
}
