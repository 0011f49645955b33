import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import ort from 'onnxruntime-node'
import { SikuError } from '../../contract/errors.ts'
import { checksumsOf } from './model-files.ts'
import { beginId, endId, paddingId } from './tokenizer.ts'

export interface EmbeddingSession {
  readonly dimensions: number
  /** Complete sequences, special tokens included. The vectors one after another, as the model gave them. */
  run(sequences: Int32Array[]): Promise<Float32Array>
}

/**
 * One after another, so that nothing competes for the cores; memory is kept between runs but not planned ahead for each
 * shape, of which there are too many.
 */
export const sessionOptions: ort.InferenceSession.SessionOptions = {
  executionMode: 'sequential',
  interOpNumThreads: 1,
  graphOptimizationLevel: 'all',
  enableCpuMemArena: true,
  enableMemPattern: false,
}

/** Rejects when the model's file is missing or is not what it was when it was made. */
export async function openSession(folder: string): Promise<EmbeddingSession> {
  const path = join(folder, 'model.onnx')
  const [checksum, checksums] = await Promise.all([sha256(path), checksumsOf(folder)])
  if (checksum !== checksums.get('model.onnx')) throw new SikuError('embedding', 'The bundled model is damaged.')
  const session = await ort.InferenceSession.create(path, sessionOptions)
  const probe = await runSequences(session, [Int32Array.of(beginId, endId)])
  return { dimensions: probe.length, run: (sequences) => runSequences(session, sequences) }
}

async function runSequences(session: ort.InferenceSession, sequences: Int32Array[]): Promise<Float32Array> {
  const { inputIds, attentionMask, dimensions } = toTensors(sequences)
  const { sentence_embedding: output } = await session.run({
    input_ids: new ort.Tensor('int64', inputIds, dimensions),
    attention_mask: new ort.Tensor('int64', attentionMask, dimensions),
  })
  const vectors = output?.data
  if (!(vectors instanceof Float32Array)) throw new SikuError('embedding', 'The bundled model gave no vectors.')
  return vectors
}

/** Padded to the longest. */
export function toTensors(sequences: Int32Array[]): {
  inputIds: BigInt64Array
  attentionMask: BigInt64Array
  dimensions: [number, number]
} {
  let longest = 0
  for (const sequence of sequences) longest = Math.max(longest, sequence.length)
  const inputIds = new BigInt64Array(sequences.length * longest)
  const attentionMask = new BigInt64Array(sequences.length * longest)
  // Low words only: ids are small and every platform we ship for is little-endian.
  const ids = new Int32Array(inputIds.buffer)
  const mask = new Int32Array(attentionMask.buffer)
  sequences.forEach((sequence, row) => {
    const start = row * longest * 2
    for (let column = 0; column < longest; column++) {
      const known = column < sequence.length
      ids[start + column * 2] = known ? sequence[column]! : paddingId
      mask[start + column * 2] = known ? 1 : 0
    }
  })
  return { inputIds, attentionMask, dimensions: [sequences.length, longest] }
}

async function sha256(path: string): Promise<string> {
  const file = await open(path)
  try {
    const hash = createHash('sha256')
    const piece = Buffer.allocUnsafe(1 << 20)
    for (;;) {
      const { bytesRead } = await file.read(piece, 0, piece.length)
      if (bytesRead === 0) return hash.digest('hex')
      hash.update(piece.subarray(0, bytesRead))
    }
  } finally {
    await file.close()
  }
}
