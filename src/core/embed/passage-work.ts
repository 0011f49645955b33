import { cancelled, SikuError } from '../../contract/errors.ts'
import type { CallContext } from '../work/work.ts'
import { planBatches } from './batches.ts'
import type { PassageEvent, PassageInput } from './embedding-api.ts'
import type { EmbeddingSession } from './session.ts'
import { beginId, endId, type Tokenizer } from './tokenizer.ts'
import { isUnit } from './vectors.ts'

export const tooLong = 'too long for the embedding model'
/** For so long after a question the next one is expected, and batches are small: it waits for the one that runs. */
const askingMs = 5000
const askingBatchTokens = 256
const noVector = 'the embedding model gave no usable vector'

export function sequenceOf(prefix: Int32Array, ids: Int32Array): Int32Array {
  const sequence = new Int32Array(prefix.length + ids.length + 2)
  sequence[0] = beginId
  sequence.set(prefix, 1)
  sequence.set(ids, 1 + prefix.length)
  sequence[sequence.length - 1] = endId
  return sequence
}

/** Other calls get their turn, a question above all. */
function otherCalls(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** One batch of one call at a time; a question comes between two batches. The runtime holds the thread while it computes. */
export function createPassageWork(session: EmbeddingSession, tokenizer: Tokenizer) {
  let turn: Promise<unknown> = Promise.resolve()
  let lastQuestionAt = -Infinity

  /** Calls take turns by list: the one that came first is finished first, so that its batches stay well sorted. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = turn.then(work)
    turn = mine.catch(() => undefined)
    return mine
  }

  async function runBatch(sequences: Int32Array[], indices: number[], emit: (event: PassageEvent) => void): Promise<void> {
    let vectors: Float32Array | null = null
    let reason = noVector
    try {
      vectors = await session.run(indices.map((index) => sequences[index]!))
    } catch (error) {
      reason = error instanceof Error ? error.message : String(error)
    }
    const { dimensions } = session
    const good = vectors !== null && indices.every((_, place) => isUnit(vectors.subarray(place * dimensions, (place + 1) * dimensions)))
    if (good && vectors !== null) return emit({ type: 'batch-end', indices, vectors })
    // One bad passage spoils its batch: halving finds it.
    if (indices.length === 1) return emit({ type: 'passage-bad', index: indices[0]!, reason })
    const half = indices.length >> 1
    await runBatch(sequences, indices.slice(0, half), emit)
    await runBatch(sequences, indices.slice(half), emit)
  }

  function passages(inputs: PassageInput[], context: CallContext<PassageEvent>): Promise<void> {
    return inTurn(async () => {
      if (context.signal.aborted) throw cancelled(context.signal.reason)
      // Never awaited: the session does not wait for whoever listens.
      const emit = (event: PassageEvent): void => void context.emit(event)
      const sequences: Int32Array[] = []
      const fitting: number[] = []
      inputs.forEach((input, index) => {
        const ids = typeof input === 'string' ? tokenizer.encode(input) : input
        if (ids.length > tokenizer.passageBudget) return emit({ type: 'passage-bad', index, reason: tooLong })
        sequences[index] = sequenceOf(tokenizer.passagePrefixIds, ids)
        fitting.push(index)
      })
      const lengthOf = (index: number): number => sequences[index]!.length
      for (const batch of planBatches(fitting.map(lengthOf))) {
        const indices = batch.map((place) => fitting[place]!)
        const asking = performance.now() - lastQuestionAt < askingMs
        const parts = asking ? planBatches(indices.map(lengthOf), askingBatchTokens) : [indices.map((_, place) => place)]
        for (const part of parts) {
          await otherCalls()
          if (context.signal.aborted) throw cancelled(context.signal.reason)
          const partIndices = part.map((place) => indices[place]!)
          emit({ type: 'batch-start', indices: partIndices })
          await runBatch(sequences, partIndices, emit)
        }
      }
    })
  }

  /** Takes no turn: it runs as soon as the batch that runs now is done. */
  async function question(text: string): Promise<Float32Array> {
    lastQuestionAt = performance.now()
    const ids = tokenizer.encode(text)
    if (ids.length > tokenizer.passageBudget - 1) {
      throw new SikuError('embedding', 'The question is too long for the embedding model.', { hint: 'Ask a shorter question.' })
    }
    const vector = await session.run([sequenceOf(tokenizer.questionPrefixIds, ids)])
    if (!isUnit(vector)) throw new SikuError('embedding', 'The embedding model gave no usable vector for this question.')
    return vector
  }

  return { passages, question }
}
