/** The best path (CTC, Graves et al. 2006): the likeliest class at each step, repeats and blanks (class 0) left out. Confidence is the mean of what is kept. */
export function bestPath(
  data: Float32Array,
  steps: number,
  classes: number,
  characters: readonly string[],
): { text: string; confidence: number } {
  let text = ''
  let sum = 0
  let count = 0
  let before = 0
  for (let step = 0; step < steps; step += 1) {
    const base = step * classes
    let best = 0
    let value = data[base]!
    for (let index = 1; index < classes; index += 1) {
      const each = data[base + index]!
      if (each > value) {
        value = each
        best = index
      }
    }
    if (best !== 0 && best !== before) {
      text += characters[best] ?? ''
      sum += value
      count += 1
    }
    before = best
  }
  return { text, confidence: count === 0 ? 0 : sum / count }
}
