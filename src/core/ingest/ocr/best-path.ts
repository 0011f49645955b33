/** A character of a reading and the first and the last of the steps at which it is the likeliest. */
export interface Sign {
  text: string
  from: number
  to: number
}

export interface Path {
  text: string
  signs: Sign[]
  confidence: number
}

/** The best path (CTC, Graves et al. 2006): the likeliest class at each step, repeats and blanks (class 0) left out. Confidence is the mean of what is kept. */
export function bestPath(data: Float32Array, steps: number, classes: number, characters: readonly string[]): Path {
  const signs: Sign[] = []
  let sum = 0
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
    if (best !== 0 && best === before) signs.at(-1)!.to = step
    else if (best !== 0) {
      signs.push({ text: characters[best] ?? '', from: step, to: step })
      sum += value
    }
    before = best
  }
  return { text: signs.map((sign) => sign.text).join(''), signs, confidence: signs.length === 0 ? 0 : sum / signs.length }
}
