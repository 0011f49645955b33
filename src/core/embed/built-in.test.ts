import { cpSync, mkdtempSync, openSync, readFileSync, rmSync, symlinkSync, writeFileSync, writeSync, closeSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, expect, test, vi } from 'vitest'
import type { ChildProcessHandle, StartProcess } from '../deps.ts'
import { forkProcess } from '../work/work.ts'
import { createBuiltInEmbedder } from './built-in.ts'
import type { PassageEvent } from './embedding-api.ts'
import type { Embedder } from './embedder.ts'

// Each start loads the model.
vi.setConfig({ testTimeout: 90_000 })
const root = join(import.meta.dirname, '..', '..', '..')
const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

interface Started {
  handles: ChildProcessHandle[]
  embedder: Embedder
}

/** The real process; `onMessage` sees what it says and may kill it. */
function startEmbedder(
  options: {
    idleMs?: number
    resourcesDir?: string
    watch?: (event: PassageEvent, handle: ChildProcessHandle, sent: string[]) => void
  } = {},
): Started {
  const handles: ChildProcessHandle[] = []
  const startProcess: StartProcess = (entry, startOptions) => {
    const handle = forkProcess(entry, startOptions)
    handles.push(handle)
    let sent: string[] = []
    return {
      get pid() {
        return handle.pid
      },
      post(message) {
        const { input } = message as { input?: { inputs?: string[] } }
        sent = input?.inputs ?? sent
        handle.post(message)
      },
      onMessage: (listener) =>
        handle.onMessage((message) => {
          const { type, event } = message as { type: string; event?: PassageEvent }
          if (type === 'event' && event !== undefined) options.watch?.(event, handle, sent)
          listener(message)
        }),
      onExit: (listener) => handle.onExit(listener),
      kill: () => handle.kill(),
    }
  }
  const embedder = createBuiltInEmbedder({
    deps: {
      resourcesDir: options.resourcesDir ?? join(root, 'resources'),
      startProcess,
      workerUrl: (name) => pathToFileURL(join(root, 'out', 'node', `${name}.js`)),
      log: () => undefined,
    },
    ...(options.idleMs === undefined ? {} : { idleMs: options.idleMs }),
  })
  ends.push(() => embedder.close())
  return { handles, embedder }
}

function exitOf(handle: ChildProcessHandle): Promise<void> {
  return new Promise((resolve) => handle.onExit(() => resolve()))
}
const inputs = (texts: string[]): { text: string }[] => texts.map((text) => ({ text }))

test('a passage that takes the process down is isolated and marked; every other one gets its vector', async () => {
  const { embedder, handles } = startEmbedder({
    watch(event, handle, sent) {
      if (event.type === 'batch-start' && event.indices.some((index) => sent[index]?.includes('poison'))) handle.kill()
    },
  })
  const texts = Array.from({ length: 5 }, (_, index) => (index === 3 ? 'a poison passage' : `passage number ${index}`))
  const outcomes = await embedder.embedPassages(inputs(texts))
  expect(outcomes.map(({ kind }) => kind)).toEqual(texts.map((_, index) => (index === 3 ? 'bad' : 'ok')))
  expect(handles.length).toBeGreaterThan(2)
})

test('a process killed from outside mid-way costs nothing but its start', async () => {
  let killed = false
  const { embedder, handles } = startEmbedder({
    watch(event, handle) {
      if (event.type === 'batch-end' && !killed) {
        killed = true
        handle.kill()
      }
    },
  })
  const outcomes = await embedder.embedPassages(
    inputs(Array.from({ length: 30 }, (_, index) => `${'many words here '.repeat(30)} ${index}`)),
  )
  expect(outcomes.every(({ kind }) => kind === 'ok')).toBe(true)
  expect(handles.length).toBe(2)
})

test('the process ends when idle, and comes back when it is needed', async () => {
  const { embedder, handles } = startEmbedder({ idleMs: 20 })
  await embedder.embedQuestion('first')
  await exitOf(handles[0]!)
  expect((await embedder.embedQuestion('second')).length).toBe(384)
  expect(handles.length).toBe(2)
})

test('asking again what the model is starts no process: a status page must not load it', async () => {
  const { embedder, handles } = startEmbedder({ idleMs: 20 })
  const model = await embedder.open()
  await exitOf(handles[0]!)
  expect(await embedder.open()).toEqual(model)
  expect(handles.length).toBe(1)
})

test('closing ends the process and what waits for it', async () => {
  const { embedder, handles } = startEmbedder()
  const running = embedder.embedPassages(inputs(Array.from({ length: 200 }, () => 'words '.repeat(200))))
  const failed = expect(running).rejects.toMatchObject({ code: 'cancelled' })
  await embedder.embedQuestion('is it up?')
  await embedder.close()
  await failed
  await exitOf(handles[0]!)
  await expect(embedder.embedQuestion('too late')).rejects.toMatchObject({ code: 'embedding' })
})

test('a model file with one bit flipped, or none at all, is refused with a hint', async () => {
  const resourcesDir = mkdtempSync(join(tmpdir(), 'siku-model-'))
  ends.push(() => rmSync(resourcesDir, { recursive: true, force: true }))
  const from = join(root, 'resources', 'models', 'multilingual-e5-small')
  const to = join(resourcesDir, 'models', 'multilingual-e5-small')
  mkdirSync(to, { recursive: true })
  for (const name of ['tokenizer.bin', 'SHA256SUMS']) symlinkSync(join(from, name), join(to, name))
  const missing = startEmbedder({ resourcesDir })
  await expect(missing.embedder.open()).rejects.toMatchObject({ code: 'embedding', hint: expect.any(String) as string })

  cpSync(join(from, 'model.onnx'), join(to, 'model.onnx'))
  const middle = readFileSync(join(to, 'model.onnx')).subarray(40_000_000, 40_000_001)
  const file = openSync(join(to, 'model.onnx'), 'r+')
  writeSync(file, Uint8Array.of(middle[0]! ^ 1), 0, 1, 40_000_000)
  closeSync(file)
  const damaged = startEmbedder({ resourcesDir })
  await expect(damaged.embedder.embedPassages(inputs(['a']))).rejects.toMatchObject({
    code: 'embedding',
    message: expect.stringContaining('damaged') as string,
  })

  writeFileSync(join(to, 'model.onnx'), readFileSync(join(from, 'model.onnx')))
  expect((await damaged.embedder.open()).dimensions).toBe(384)
})
