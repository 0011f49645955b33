import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { ServerResponse } from 'node:http'

/** True traffic of an Ollama server: see test/fixtures/ollama/README.md. */
const recordings = findUpwards(import.meta.dirname, join('test', 'fixtures', 'ollama'))

/** The bench runs from a bundle that lies elsewhere in the project. */
function findUpwards(from: string, path: string): string {
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = join(folder, path)
    if (existsSync(candidate) || folder === dirname(folder)) return candidate
  }
}

export interface Recording {
  name: string
  method: string
  path: string
  requestBody: unknown
  status: number
  headers: Record<string, string>
  body: Buffer
  /** Pieces as they arrived, where that was recorded. */
  chunks: { atMs: number; data: Buffer }[] | null
}

/** How a recording is sent again. Cut and stalled count the bytes of the body that still come. */
export type Delivery =
  | { kind: 'whole' }
  | { kind: 'bytes' }
  | { kind: 'pieces'; sizes: number[] }
  | { kind: 'timed'; speed: number }
  | { kind: 'cut'; afterBytes: number }
  | { kind: 'stalled'; afterBytes: number }

export function recording(name: string): Recording {
  const folder = join(recordings, name)
  const read = (file: string): string => readFileSync(join(folder, file), 'utf8')
  const request = JSON.parse(read('request.json')) as { method: string; path: string; body?: unknown }
  const [statusLine = '', ...lines] = read('response.headers').trim().split(/\r?\n/)
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const at = line.indexOf(':')
    const key = line.slice(0, at).toLowerCase()
    if (at > 0 && !['connection', 'transfer-encoding', 'date', 'content-length'].includes(key)) headers[key] = line.slice(at + 1).trim()
  }
  const chunkFile = join(folder, 'response.chunks.jsonl')
  const chunks = existsSync(chunkFile)
    ? read('response.chunks.jsonl')
        .trim()
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as { t_ms: number; data: string })
        .map(({ t_ms, data }) => ({ atMs: t_ms, data: Buffer.from(data) }))
    : null
  return {
    name,
    method: request.method,
    path: request.path,
    requestBody: request.body,
    status: Number(/ (\d{3})/.exec(statusLine)?.[1] ?? 200),
    headers,
    body: readFileSync(join(folder, 'response.body')),
    chunks,
  }
}

/** Sends the recording over the real socket. Ends when all is sent, when it was cut, or when the client left. */
export async function deliver(response: ServerResponse, { status, headers, body, chunks }: Recording, delivery: Delivery): Promise<void> {
  response.socket?.setNoDelay(true)
  response.writeHead(status, headers)
  response.flushHeaders()
  const left = (): boolean => response.destroyed
  const write = (data: Buffer): Promise<void> => new Promise((resolve) => response.write(data, () => setImmediate(resolve)))
  switch (delivery.kind) {
    case 'whole':
      response.end(body)
      return
    case 'bytes':
      for (let at = 0; at < body.length && !left(); at += 1) await write(body.subarray(at, at + 1))
      response.end()
      return
    case 'pieces': {
      for (let at = 0, turn = 0; at < body.length && !left(); turn += 1) {
        const size = delivery.sizes[turn % delivery.sizes.length] ?? 1
        await write(body.subarray(at, at + size))
        at += size
      }
      response.end()
      return
    }
    case 'timed': {
      const first = chunks?.[0]?.atMs ?? 0
      const start = Date.now()
      for (const { atMs, data } of chunks ?? [{ atMs: 0, data: body }]) {
        const waitMs = start + (atMs - first) / delivery.speed - Date.now()
        if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs))
        if (left()) return
        await write(data)
      }
      response.end()
      return
    }
    case 'cut':
      await write(body.subarray(0, delivery.afterBytes))
      await new Promise((resolve) => setTimeout(resolve, 5))
      response.socket?.destroy()
      return
    case 'stalled':
      await write(body.subarray(0, delivery.afterBytes))
  }
}

/** Recordings that answer the next request of their method and path, each once. */
export function createReplays() {
  const waiting: { recording: Recording; delivery: Delivery }[] = []
  return {
    add(name: string, delivery: Delivery = { kind: 'whole' }): Recording {
      const made = recording(name)
      waiting.push({ recording: made, delivery })
      return made
    },
    /** False: none of them is of that request. */
    async answer(request: { method: string; path: string }, response: ServerResponse): Promise<boolean> {
      const at = waiting.findIndex(({ recording: { method, path } }) => method === request.method && path === request.path)
      const [replay] = at === -1 ? [] : waiting.splice(at, 1)
      if (replay === undefined) return false
      await deliver(response, replay.recording, replay.delivery)
      return true
    },
  }
}
