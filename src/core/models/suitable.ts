import type { Model } from '../../contract/models.ts'

/** Beside the weights: the window's memory and everything else that runs. */
const memoryShare = 0.65
const windowBytes = 1_000_000_000

/** Ollama sends models of these names to a hosted service. */
export function isCloudName(name: string): boolean {
  return /(-|:)cloud$/.test(name)
}

/** "134.52M", "7.6B" in thousand millions; null when it says nothing. */
export function billions(parameters: string | null): number | null {
  const found = /^([\d.]+)\s*([KMBT])?$/i.exec(parameters?.trim() ?? '')
  if (found === null) return null
  const scale = { K: 1e-6, M: 1e-3, B: 1, T: 1000 }[(found[2] ?? 'B').toUpperCase()] ?? 1
  return Number(found[1]) * scale
}

/** May answer a question at all, as far as a listing tells: local, and not made for vectors alone. */
export function isCandidate(model: Model): boolean {
  if (model.remote) return false
  if (model.capabilities.includes('embedding') && !model.capabilities.includes('completion')) return false
  return !/(^|[-/_])(embed|bge|e5|minilm|gte|rerank)/i.test(model.ref.model) && !/bert/i.test(model.family ?? '')
}

function score(model: Model, totalMemoryBytes: number): number {
  const name = model.ref.model.toLowerCase()
  const size = billions(model.parameters) ?? (model.sizeBytes === null ? 4 : model.sizeBytes / 0.65e9)
  let points = 0
  // From 3 to 15 thousand million parameters is where answers are good and still come soon on a common machine.
  if (size >= 3 && size <= 15) points += 40
  else if (size >= 1) points += size < 3 ? 25 : 20
  else points += 5
  points += Math.min(size, 15)
  if (/instruct|chat|(^|[-:_])it([-:_]|$)/.test(name)) points += 10
  if (/base|(^|[-:_])(text|pt)([-:_]|$)/.test(name)) points -= 30
  if (/coder?|math|guard|ocr|vision|-vl|llava|sql|translate|medical|moondream/.test(name)) points -= 15
  // Of what another program loads, the choice does not hang: it would change between two questions.
  if (model.capabilities.includes('tools')) points += 12
  if (model.sizeBytes !== null && model.sizeBytes + windowBytes > totalMemoryBytes * memoryShare) points -= 100
  return points
}

/** The most suitable first. The same list always gives the same order. */
export function bySuitability(models: Model[], totalMemoryBytes: number): Model[] {
  return models
    .filter(isCandidate)
    .map((model) => ({ model, points: score(model, totalMemoryBytes) }))
    .sort((a, b) => b.points - a.points || (a.model.ref.model < b.model.ref.model ? -1 : 1))
    .map(({ model }) => model)
}
