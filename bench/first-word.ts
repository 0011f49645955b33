import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient, openCore } from '../src/core/core.ts'
import { forkProcess } from '../src/core/work/work.ts'
import { memorySecrets } from '../test/fakes/memory-secrets.ts'
import { startOllama, type OllamaServer } from '../test/fakes/ollama-server.ts'

export interface FirstWordBench {
  /** From the chat request's arrival at the server to the first word with the client, median of the rounds. */
  sikuMs: number
  bareMs: number
  /** Median of the rounds' own differences. */
  laterMs: number
  /** From the question to the first word, search included; the server's own wait is part of it. */
  askMs: number
  rounds: { sikuMs: number; bareMs: number }[]
}

interface FirstWordOptions {
  resourcesDir: string
  /** out/node, where threads and processes lie. */
  builtDir: URL
  rounds?: number
}

const recorded = 'chat_stream_timed'
const speed = 20

/** The first word of an answer, against a bare reading of the same recorded stream from the same server. */
export async function benchFirstWord({ resourcesDir, builtDir, rounds: roundCount = 5 }: FirstWordOptions): Promise<FirstWordBench> {
  const home = mkdtempSync(join(tmpdir(), 'siku-bench-'))
  const server = await startOllama()
  const core = await openCore({
    dataDir: join(home, 'data'),
    resourcesDir,
    secrets: memorySecrets(),
    fetch: globalThis.fetch,
    now: Date.now,
    newId: randomUUID,
    log: () => undefined,
    env: { OLLAMA_HOST: server.url },
    startProcess: forkProcess,
    workerUrl: (name) => new URL(`${name}.js`, builtDir),
  })
  try {
    const client = createClient(core)
    mkdirSync(join(home, 'papers'))
    writeFileSync(join(home, 'papers', 'lease.md'), '# Lease\n\nThe rent is 4,200 yuan a month. The lease ends on 31 March 2027.\n')
    await client.folders.add({ paths: [join(home, 'papers')] })
    for await (const progress of await client.library.progress()) if (progress.phase === 'idle' && progress.counts.total > 0) break

    const ask = async (): Promise<{ wordMs: number; askMs: number }> => {
      server.replay(recorded, { kind: 'timed', speed })
      const askedAt = performance.now()
      const { turnId } = await client.chats.ask({ question: 'When does the lease end?' })
      let wordAt = 0
      for await (const event of await client.turns.watch({ turnId }))
        if (event.type === 'text-delta' && wordAt === 0) wordAt = performance.now()
      return { wordMs: wordAt - arrivedAt(server), askMs: wordAt - askedAt }
    }
    await ask()
    await bare(server)
    const rounds: FirstWordBench['rounds'] = []
    const asks: number[] = []
    for (let round = 0; round < roundCount; round += 1) {
      const first = round % 2 === 0 ? await bare(server) : null
      const { wordMs, askMs } = await ask()
      rounds.push({ sikuMs: wordMs, bareMs: first ?? (await bare(server)) })
      asks.push(askMs)
    }
    return {
      sikuMs: median(rounds.map((round) => round.sikuMs)),
      bareMs: median(rounds.map((round) => round.bareMs)),
      laterMs: median(rounds.map((round) => round.sikuMs - round.bareMs)),
      askMs: median(asks),
      rounds,
    }
  } finally {
    await core.close()
    await server.close()
    rmSync(home, { recursive: true, force: true })
  }
}

async function bare(server: OllamaServer): Promise<number> {
  server.replay(recorded, { kind: 'timed', speed })
  const body = JSON.stringify({ model: 'qwen-fake:4b', messages: [{ role: 'user', content: 'When does the lease end?' }] })
  const response = await fetch(`${server.url}/api/chat`, { method: 'POST', body })
  const decoder = new TextDecoder()
  let text = ''
  let wordMs = 0
  for await (const piece of response.body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(piece, { stream: true })
    if (wordMs === 0 && text.includes('\n')) wordMs = performance.now() - arrivedAt(server)
  }
  return wordMs
}

function arrivedAt(server: OllamaServer): number {
  return server.requests.findLast((request) => request.path === '/api/chat')?.at ?? 0
}

function median(values: number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
