import { cancelled, SikuError, toSikuError } from '../../contract/errors.ts'
import type { CoreDeps } from '../deps.ts'
import { startChild, type RpcClient, type RpcExit } from '../work/work.ts'
import type { EmbeddingApi, PassageEvent, PassageInput } from './embedding-api.ts'
import type { Embedder, EmbeddingModel, EmbedOutcome } from './embedder.ts'
import { bundledModel, checksumsOf, modelFolder } from './model-files.ts'
import { modelWindow } from './tokenizer.ts'

export interface BuiltInOptions {
  deps: Pick<CoreDeps, 'resourcesDir' | 'startProcess' | 'workerUrl' | 'log'>
  /** So long without work, and the process ends with all its memory. */
  idleMs?: number
  /** At this resident size the process is ended from within. */
  memoryLimitBytes?: number
}

interface Running {
  client: RpcClient<EmbeddingApi>
  opened: Promise<{ dimensions: number }>
}

const fatalPassage = 'the embedding process ended on it'

/** The bundled model in a process of its own: started when needed, ended when idle, started again when it dies. */
export function createBuiltInEmbedder(options: BuiltInOptions): Embedder {
  const { deps, idleMs = 60_000, memoryLimitBytes = 1_200_000_000 } = options
  const folder = modelFolder(deps.resourcesDir)
  let running: Running | null = null
  let model: EmbeddingModel | null = null
  let idleTimer: NodeJS.Timeout | undefined
  let users = 0
  let closed = false

  function start(): Running {
    const client = startChild<EmbeddingApi>(deps.startProcess, deps.workerUrl('embedding-process'), {
      name: 'embedding-process',
      memoryLimitBytes,
      niceness: 5,
    })
    const opened = client.call('open', { folder, resourcesDir: deps.resourcesDir })
    const mine: Running = { client, opened }
    const forget = (): void => {
      if (running === mine) running = null
    }
    client.onExit((exit) => {
      forget()
      if (exit.kind !== 'killed') deps.log('warn', 'the embedding process ended', { kind: exit.kind, code: exit.code })
    })
    opened.catch(() => {
      forget()
      client.kill()
    })
    return mine
  }

  /** Runs work against an open process, and keeps it alive meanwhile. */
  async function use<T>(
    signal: AbortSignal | undefined,
    work: (client: RpcClient<EmbeddingApi>, dimensions: number) => Promise<T>,
  ): Promise<T> {
    if (closed) throw new SikuError('embedding', 'The embedder is closed.')
    if (signal?.aborted === true) throw cancelled(signal.reason)
    clearTimeout(idleTimer)
    users++
    try {
      running ??= start()
      const { client, opened } = running
      const { dimensions } = await abortable(opened.catch(failedStart), signal)
      return await work(client, dimensions)
    } finally {
      users--
      if (users === 0) {
        idleTimer = setTimeout(() => running?.client.kill(), idleMs)
        idleTimer.unref()
      }
    }
  }

  async function open(signal?: AbortSignal): Promise<EmbeddingModel> {
    model ??= await use(signal, async (_client, dimensions) => {
      const checksum = (await checksumsOf(folder)).get('model.onnx') ?? ''
      return { key: `built-in/${bundledModel}@${checksum.slice(0, 8)}/${dimensions}`, dimensions, maxTokens: modelWindow }
    })
    return model
  }

  /** One try at these. Fills `outcomes`; answers with what was underway if the process died, else null. */
  async function attempt(
    inputs: PassageInput[],
    chosen: number[],
    outcomes: (EmbedOutcome | undefined)[],
    signal: AbortSignal | undefined,
  ): Promise<{ suspects: number[]; exit: RpcExit } | null> {
    return use(signal, async (client, dimensions) => {
      let suspects: number[] | null = null
      let exit: RpcExit | null = null
      client.onExit((how) => (exit = how))
      const onEvent = (event: PassageEvent): void => {
        if (event.type === 'batch-start') suspects = event.indices.map((place) => chosen[place]!)
        else if (event.type === 'passage-bad') outcomes[chosen[event.index]!] = { kind: 'bad', reason: event.reason }
        else {
          event.indices.forEach((place, row) => {
            const vector = event.vectors.slice(row * dimensions, (row + 1) * dimensions)
            outcomes[chosen[place]!] = { kind: 'ok', vector }
          })
        }
      }
      try {
        await client.call('passages', { inputs: chosen.map((index) => inputs[index]!) }, { signal, onEvent })
        return null
      } catch (error) {
        if (closed || signal?.aborted === true) throw cancelled(error)
        if (exit === null) throw error
        const unfinished = (suspects ?? chosen).filter((index) => outcomes[index] === undefined)
        return { exit, suspects: unfinished.length > 0 ? unfinished : chosen.filter((index) => outcomes[index] === undefined) }
      }
    })
  }

  async function embedAll(inputs: PassageInput[], signal: AbortSignal | undefined): Promise<EmbedOutcome[]> {
    const outcomes: (EmbedOutcome | undefined)[] = new Array<EmbedOutcome | undefined>(inputs.length).fill(undefined)
    // Suspects first, each half by itself: what dies again is halved again, what dies alone is bad.
    const groups: { indices: number[]; suspected: boolean }[] = [{ indices: inputs.map((_, index) => index), suspected: false }]
    for (let group = groups.pop(); group !== undefined; group = groups.pop()) {
      const { suspected } = group
      const indices = group.indices.filter((index) => outcomes[index] === undefined)
      if (indices.length === 0) continue
      const death = await attempt(inputs, indices, outcomes, signal)
      if (death === null) continue
      const { suspects } = death
      const rest = indices.filter((index) => !suspects.includes(index))
      if (rest.length > 0) groups.push({ indices: rest, suspected: false })
      if (suspects.length === 1 && suspected) {
        outcomes[suspects[0]!] = { kind: 'bad', reason: fatalPassage }
        continue
      }
      const half = Math.ceil(suspects.length / 2)
      groups.push({ indices: suspects.slice(half), suspected: true }, { indices: suspects.slice(0, half), suspected: true })
    }
    return outcomes.map((outcome) => outcome ?? { kind: 'bad', reason: fatalPassage })
  }

  return {
    open,
    async embedPassages(inputs, { signal } = {}) {
      if (inputs.length === 0) return []
      return embedAll(
        inputs.map((input) => input.tokenIds ?? input.text),
        signal,
      )
    },
    async embedQuestion(text, { signal } = {}) {
      const ask = (): Promise<Float32Array> => use(signal, (client) => client.call('question', { text }, { signal }))
      try {
        return await ask()
      } catch (error) {
        // A passage may have taken the process down under this question.
        const problem = toSikuError(error)
        if (problem.code !== 'internal' || !problem.retryable || closed) throw problem
        return ask()
      }
    },
    async close() {
      closed = true
      clearTimeout(idleTimer)
      running?.client.kill()
      running = null
    },
  }
}

function failedStart(error: unknown): never {
  const problem = toSikuError(error)
  if (problem.code === 'cancelled') throw problem
  throw new SikuError('embedding', `The bundled embedding model could not be started: ${problem.message}`, {
    hint: problem.hint ?? 'Install Siku again, or choose another embedding model in Settings.',
    cause: error,
  })
}

function abortable<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(cancelled(signal.reason))
    signal.addEventListener('abort', abort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
