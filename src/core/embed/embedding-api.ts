import type { CallContext } from '../work/work.ts'

/** Ids without prefix and special tokens, or the text itself when it was not tokenised before. */
export type PassageInput = Int32Array | string

/** What the process says while it embeds passages. Indices are those of the call's list. */
export type PassageEvent =
  /** This batch runs next: if the process dies now, one of these did it. */
  | { type: 'batch-start'; indices: number[] }
  /** Vectors one after another, in the order of `indices`. */
  | { type: 'batch-end'; indices: number[]; vectors: Float32Array }
  | { type: 'passage-bad'; index: number; reason: string }

/** The embedding process. `open` first. */
export interface EmbeddingApi {
  /** Checks the model's files and loads them. Cheap when done before. */
  open(input: { folder: string; resourcesDir: string }, context: CallContext): Promise<{ dimensions: number }>
  passages(input: { inputs: PassageInput[] }, context: CallContext<PassageEvent>): Promise<void>
  /** Goes before waiting passages. */
  question(input: { text: string }, context: CallContext): Promise<Float32Array>
}
