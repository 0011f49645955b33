/** 0 when either is zero, not finite or of another length: never NaN. */
export function cosine(a: Float32Array, b: Float32Array): number {
  if (a.length !== b.length) return 0
  let dot = 0
  let squareA = 0
  let squareB = 0
  for (let index = 0; index < a.length; index++) {
    const x = a[index]!
    const y = b[index]!
    dot += x * y
    squareA += x * x
    squareB += y * y
  }
  const value = dot / Math.sqrt(squareA * squareB)
  return Number.isFinite(value) ? Math.max(-1, Math.min(1, value)) : 0
}

/** A copy of length 1, or null when there is none: zero or not finite. */
export function toUnit(vector: Float32Array): Float32Array | null {
  let square = 0
  for (const value of vector) square += value * value
  const norm = Math.sqrt(square)
  if (!Number.isFinite(norm) || norm < 1e-12) return null
  return vector.map((value) => value / norm)
}

/** For vectors that come normalised: finite and of length 1. */
export function isUnit(vector: Float32Array): boolean {
  let square = 0
  for (const value of vector) square += value * value
  return Math.abs(Math.sqrt(square) - 1) < 1e-3
}
