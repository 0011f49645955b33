import { setTimeout as sleep } from 'node:timers/promises'
import { counted } from '../../contract/counted.ts'
import { cancelled, SikuError, toSikuError } from '../../contract/errors.ts'
import type { Embedder, EmbeddingModel, EmbedOutcome } from './embedder.ts'
import { toUnit } from './vectors.ts'

/** A provider that embeds over the network. */
export interface EmbeddingProvider {
  /** One vector for each text, in order; rejects with a SikuError. */
  embed(texts: string[], signal: AbortSignal | undefined): Promise<Float32Array[]>
  /** What the model is: everything of its key but the dimensions. */
  describe(signal: AbortSignal | undefined): Promise<{ key: string; maxTokens: number }>
  /** Texts in one request, at most. */
  batchSize: number
  /** Waits before the second, third, … try of a request that may be repeated. */
  retryWaitsMs?: number[]
}

const usualWaits = [500, 2000, 8000]
/** No provider that asks for more is waited for here: whoever called tries again later. */
const longestWaitMs = 60_000
/** Somebody sits before the screen: search goes on by keyword instead. */
const questionPatienceMs = 1000
const probeText = 'Siku'

/** Requests refused for what they hold: halving them finds the text that is to blame. */
function isAboutContent(problem: SikuError): boolean {
  if (problem.code === 'context-exceeded' || problem.code === 'embedding') return true
  if (problem.code !== 'model-call') return false
  return (
    problem.status === undefined || problem.status === 400 || problem.status === 413 || problem.status === 422 || problem.status === 500
  )
}

function isPassing(problem: SikuError): boolean {
  const { status } = problem
  return status === 408 || status === 409 || status === 429 || (status !== undefined && status > 500 && status !== 501)
}

/** Batches, repeats, halving, checks and unit length, for any provider. */
export function createRemoteEmbedder(provider: EmbeddingProvider): Embedder {
  const waits = provider.retryWaitsMs ?? usualWaits
  let model: EmbeddingModel | null = null
  /** Learned: some providers refuse more than ten at a time. */
  let batchSize = provider.batchSize
  const closing = new AbortController()

  function withClosing(signal: AbortSignal | undefined): AbortSignal {
    return signal === undefined ? closing.signal : AbortSignal.any([signal, closing.signal])
  }

  async function request(texts: string[], signal: AbortSignal, patienceMs = longestWaitMs): Promise<Float32Array[]> {
    for (let attempt = 0; ; attempt++) {
      if (signal.aborted) throw cancelled(signal.reason)
      try {
        // A signal of its own for each request: clients leave their listeners on it.
        return await provider.embed(texts, AbortSignal.any([signal]))
      } catch (error) {
        const problem = toSikuError(error)
        const wait = Math.max(waits[attempt] ?? 0, problem.retryAfterMs ?? 0)
        if (!isPassing(problem) || attempt >= waits.length || wait > patienceMs) throw problem
        await sleep(wait, undefined, { signal }).catch((reason: unknown) => {
          throw cancelled(reason)
        })
      }
    }
  }

  async function open(signal?: AbortSignal): Promise<EmbeddingModel> {
    if (model !== null) return model
    const both = withClosing(signal)
    const { key, maxTokens } = await provider.describe(both)
    const [vector] = await probe(both)
    const dimensions = vector?.length ?? 0
    model = { key: `${key}/${dimensions}`, dimensions, maxTokens }
    return model
  }

  async function probe(signal: AbortSignal): Promise<Float32Array[]> {
    try {
      const vectors = await request([probeText], signal)
      if (vectors[0] === undefined || toUnit(vectors[0]) === null) throw new SikuError('embedding', 'The model gave no usable vector.')
      return vectors
    } catch (error) {
      const problem = toSikuError(error)
      if (problem.code !== 'model-call' || problem.retryable) throw problem
      throw new SikuError('model-config', problem.message, {
        status: problem.status,
        cause: problem,
        hint: 'Choose a model that makes vectors.',
      })
    }
  }

  /** The vector as it may be stored, or why not. */
  function check(vector: Float32Array, dimensions: number): EmbedOutcome {
    if (vector.length !== dimensions)
      return { kind: 'bad', reason: `the model gave ${counted(vector.length, 'number')} instead of ${dimensions}` }
    const unit = toUnit(vector)
    return unit === null ? { kind: 'bad', reason: 'the model gave no usable vector' } : { kind: 'ok', vector: unit }
  }

  /** Outcomes of these texts; what is refused together is asked for in halves, and what is refused alone is bad. */
  async function embedGroup(texts: string[], dimensions: number, signal: AbortSignal): Promise<EmbedOutcome[]> {
    try {
      return (await request(texts, signal)).map((vector) => check(vector, dimensions))
    } catch (error) {
      const problem = toSikuError(error)
      if (!isAboutContent(problem)) throw problem
      if (texts.length === 1) {
        // Is it this text, or has the provider broken down? A text that worked before tells.
        if (problem.code !== 'context-exceeded') await request([probeText], signal)
        const reason = problem.code === 'context-exceeded' ? `too long for the embedding model: ${problem.message}` : problem.message
        return [{ kind: 'bad', reason }]
      }
      const half = Math.ceil(texts.length / 2)
      const first = await embedGroup(texts.slice(0, half), dimensions, signal)
      const second = await embedGroup(texts.slice(half), dimensions, signal)
      const outcomes = [...first, ...second]
      // Nothing was wrong with any of them: there were too many.
      if (outcomes.every((outcome) => outcome.kind === 'ok')) batchSize = Math.min(batchSize, half)
      return outcomes
    }
  }

  return {
    open,
    async embedPassages(inputs, { signal } = {}) {
      if (inputs.length === 0) return []
      const both = withClosing(signal)
      const { dimensions } = await open(signal)
      const outcomes: EmbedOutcome[] = []
      while (outcomes.length < inputs.length) {
        const batch = inputs.slice(outcomes.length, outcomes.length + batchSize)
        outcomes.push(
          ...(await embedGroup(
            batch.map((input) => input.text),
            dimensions,
            both,
          )),
        )
      }
      return outcomes
    },
    async embedQuestion(text, { signal } = {}) {
      const both = withClosing(signal)
      const { dimensions } = await open(signal)
      const [vector] = await request([text], both, questionPatienceMs)
      const outcome = check(vector ?? new Float32Array(), dimensions)
      if (outcome.kind === 'bad') throw new SikuError('embedding', `The question could not be embedded: ${outcome.reason}.`)
      return outcome.vector
    },
    async close() {
      closing.abort()
    },
  }
}
