/** A model of Ollama's library that answers well for its size. */
export interface SuggestedModel {
  name: string
  /** What is fetched, about. */
  sizeBytes: number
  /** Memory of a machine that has room for it beside the system and what a person has open. */
  memoryBytes: number
}

const gigabyte = 1e9

/** From small to large, all at four bits. Sizes are those of registry.ollama.ai. */
export const suggestedModels: readonly SuggestedModel[] = [
  { name: 'qwen3:0.6b', sizeBytes: 0.52 * gigabyte, memoryBytes: 0 },
  { name: 'qwen3:1.7b', sizeBytes: 1.4 * gigabyte, memoryBytes: 3.5 * gigabyte },
  { name: 'qwen3:4b', sizeBytes: 2.6 * gigabyte, memoryBytes: 7 * gigabyte },
  { name: 'qwen3:8b', sizeBytes: 5.2 * gigabyte, memoryBytes: 15 * gigabyte },
  { name: 'qwen3:14b', sizeBytes: 9.3 * gigabyte, memoryBytes: 30 * gigabyte },
]

/** The largest one that this much memory has room for: there is always one. */
export function fittingModel(memoryBytes: number): SuggestedModel {
  const fitting = suggestedModels.findLast((model) => model.memoryBytes <= memoryBytes)
  return fitting ?? { name: 'qwen3:0.6b', sizeBytes: 0.52 * gigabyte, memoryBytes: 0 }
}
