/** Plain arithmetic on vectors. A zero or non-finite vector has cosine 0 with everything. */

export function dot(a: Float32Array, b: Float32Array): number {
  return dotAt(a, 0, b)
}

/** `block` from `offset` on, times `vector`. */
export function dotAt(block: Float32Array, offset: number, vector: Float32Array): number {
  const { length } = vector
  let s0 = 0
  let s1 = 0
  let s2 = 0
  let s3 = 0
  let index = 0
  for (; index + 3 < length; index += 4) {
    s0 += block[offset + index]! * vector[index]!
    s1 += block[offset + index + 1]! * vector[index + 1]!
    s2 += block[offset + index + 2]! * vector[index + 2]!
    s3 += block[offset + index + 3]! * vector[index + 3]!
  }
  for (; index < length; index++) s0 += block[offset + index]! * vector[index]!
  return s0 + s1 + s2 + s3
}

/** normalise(a − b); zeros when nothing is left. */
export function centred(a: Float32Array, b: Float32Array): Float32Array {
  const result = new Float32Array(a.length)
  for (let index = 0; index < a.length; index++) result[index] = a[index]! - b[index]!
  return normalise(result)
}

/** In place. */
export function normalise(vector: Float32Array): Float32Array {
  const length = Math.sqrt(dot(vector, vector))
  if (!(length > 1e-12) || !Number.isFinite(length)) return vector.fill(0)
  for (let index = 0; index < vector.length; index++) vector[index] = vector[index]! / length
  return vector
}

/** cosine of (q − μ of its language) with (p − μ of p's language), given |p| = 1: only two dot products for each p. */
export interface CentredQuestion {
  /** μ of the passages' language. */
  mean: Float32Array
  /** q − μ of the question's language, of length `length`. */
  away: Float32Array
  length: number
  awayDotMean: number
  meanDotMean: number
}

export function centredQuestion(question: Float32Array, questionMean: Float32Array, passageMean: Float32Array): CentredQuestion {
  const away = new Float32Array(question.length)
  for (let index = 0; index < question.length; index++) away[index] = question[index]! - questionMean[index]!
  return {
    mean: passageMean,
    away,
    length: Math.sqrt(dot(away, away)),
    awayDotMean: dot(away, passageMean),
    meanDotMean: dot(passageMean, passageMean),
  }
}

export function centredCosine(centre: CentredQuestion, passage: Float32Array): number {
  const square = dot(passage, passage) - 2 * dot(passage, centre.mean) + centre.meanDotMean
  const lengths = centre.length * Math.sqrt(Math.max(0, square))
  return lengths > 1e-12 ? (dot(centre.away, passage) - centre.awayDotMean) / lengths : 0
}

/** A vector as SQLite keeps it: little-endian 32-bit floats. Copied only when the bytes are not aligned. */
export function toVector(blob: Uint8Array): Float32Array {
  if (blob.byteOffset % 4 === 0) return new Float32Array(blob.buffer, blob.byteOffset, blob.byteLength >> 2)
  return new Float32Array(blob.slice().buffer)
}
