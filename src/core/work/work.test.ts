import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { execFileSync, spawn } from 'node:child_process'
import { buildEntry } from '../../../test/build-entry.ts'
import type { WorkerApi } from '../../../test/fixtures/worker-entry.ts'
import { createPool, forkProcess, startChild, startThread, type Pool, type RpcClient, type RpcExit } from './work.ts'

let entry: URL
const clients: RpcClient<WorkerApi>[] = []
const pools: Pool<WorkerApi>[] = []
beforeAll(async () => {
  entry = await buildEntry(new URL('../../../test/fixtures/worker-entry.ts', import.meta.url))
})
afterAll(() => {
  for (const client of clients) client.kill()
  for (const pool of pools) pool.close()
  rmSync(dirname(fileURLToPath(entry)), { recursive: true, force: true })
})

function thread(): RpcClient<WorkerApi> {
  const client = startThread<WorkerApi>(entry, { name: 'test-thread' })
  clients.push(client)
  return client
}
function child(memoryLimitBytes?: number): RpcClient<WorkerApi> {
  const client = startChild<WorkerApi>(forkProcess, entry, { name: 'reading-process', memoryLimitBytes })
  clients.push(client)
  return client
}
function pool(options: { size: number; memoryLimitBytes?: number; idleMs?: number; jobsPerChild?: number }): Pool<WorkerApi> {
  const made = createPool<WorkerApi>({ ...options, start: () => child(options.memoryLimitBytes) })
  pools.push(made)
  return made
}
function exitOf(client: RpcClient<WorkerApi>): Promise<RpcExit> {
  return new Promise((resolve) => client.onExit(resolve))
}

describe.each([
  ['a thread', thread],
  ['a child process', child],
])('calls to %s', (_kind, start) => {
  test('values keep their types: a vector that arrives as a plain object is useless', async () => {
    const vector = new Float32Array([0.5, -1])
    expect(await start().call('echo', { vector, text: '四库', at: new Date(5) })).toEqual({ vector, text: '四库', at: new Date(5) })
  })

  test('an error keeps code, hint and whether to try again; one that cannot be sent still answers', async () => {
    const client = start()
    await expect(client.call('refuse', undefined)).rejects.toMatchObject({ code: 'no-permission', hint: 'ask', retryable: true })
    await expect(client.call('uncloneable', undefined)).rejects.toMatchObject({ code: 'internal' })
    await expect(client.call('echo', 1)).resolves.toBe(1)
  })

  test('events come in order and all before the result, also when taking one is slow', async () => {
    const taken: number[] = []
    const result = await start().call(
      'count',
      { to: 20 },
      {
        async onEvent(number) {
          await new Promise((resolve) => setTimeout(resolve, 1))
          taken.push(number)
        },
      },
    )
    expect([result, taken]).toEqual(['counted', Array.from({ length: 20 }, (_, index) => index + 1)])
  })

  test('a caller that does not take events holds the handler back: a fast reader cannot fill the memory', async () => {
    const client = start()
    const abort = new AbortController()
    let taken = 0
    const call = client.call('flood', undefined, {
      signal: abort.signal,
      onEvent: () => ((taken += 1), new Promise<void>((resolve) => setTimeout(resolve, 50))),
    })
    setTimeout(() => abort.abort(), 120)
    await expect(call).rejects.toMatchObject({ code: 'cancelled' })
    await client.whenIdle()
    expect(taken).toBeLessThan(20)
  })

  test('cancelling rejects at once and reaches the handler', async () => {
    const client = start()
    const abort = new AbortController()
    const call = client.call('untilCancelled', undefined, { signal: abort.signal, onEvent: () => abort.abort() })
    await expect(call).rejects.toMatchObject({ code: 'cancelled' })
    await client.whenIdle()
    expect(await client.call('cancelledCalls', undefined)).toBe(1)
  })

  test('a time limit cancels the handler too', async () => {
    const client = start()
    await expect(client.call('untilCancelled', undefined, { timeoutMs: 50 })).rejects.toMatchObject({ code: 'timeout' })
    await client.whenIdle()
    expect(await client.call('cancelledCalls', undefined)).toBe(1)
  })

  test('what an event listener throws ends the call with that error', async () => {
    const call = start().call(
      'count',
      { to: 5 },
      {
        onEvent() {
          throw new Error('listener failed')
        },
      },
    )
    await expect(call).rejects.toMatchObject({ message: 'listener failed' })
  })

  test('killing it rejects what runs, even while it spins, and says it is dead', async () => {
    const client = start()
    const call = client.call('spin', undefined, { onEvent: () => client.kill() })
    await expect(call).rejects.toMatchObject({ code: 'internal' })
    expect(client.dead).toBe(true)
    await expect(client.call('echo', 1)).rejects.toMatchObject({ code: 'internal' })
  })

  test('its own end rejects what runs', async () => {
    const client = start()
    const exit = exitOf(client)
    await expect(client.call('exit', { code: 3 })).rejects.toMatchObject({ code: 'internal' })
    expect(await exit).toEqual({ kind: 'ended', code: 3 })
  })
})

test('a child over its memory limit is ended from within while its main thread spins, and that is told from a crash', async () => {
  const client = child(400_000_000)
  const exit = exitOf(client)
  await expect(client.call('grow', undefined)).rejects.toMatchObject({ code: 'internal' })
  expect((await exit).kind).toBe('out-of-memory')
})

test('a child whose file is missing is an exit, not a hang', async () => {
  const client = startChild<WorkerApi>(forkProcess, new URL('./nothing-here.js', entry), { name: 'reading-process' })
  await expect(client.call('echo', 1)).rejects.toMatchObject({ code: 'internal' })
})

test('what a child prints never reaches stdout, which belongs to results', () => {
  // The entry, started with an argument, is the host of a child of its own.
  const output = execFileSync(process.execPath, [fileURLToPath(entry), 'host'], { stdio: ['ignore', 'pipe', 'ignore'] })
  expect(output.toString()).toBe('result\n')
})

test('a spinning child does not outlive its host, however that ends', async () => {
  const host = spawn(process.execPath, [fileURLToPath(entry), 'spinning-host'], { stdio: ['ignore', 'pipe', 'inherit'] })
  const pid = Number(await new Promise<Buffer>((resolve) => host.stdout.once('data', resolve)))
  expect(isRunning(pid)).toBe(true)
  host.kill('SIGKILL')
  await expect.poll(() => isRunning(pid), { timeout: 30_000 }).toBe(false)
})

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

describe('a pool', () => {
  test('goes on with the next job after a time-out, too much memory and a crash', async () => {
    const jobs = pool({ size: 1, memoryLimitBytes: 400_000_000 })
    const results = await Promise.all([
      jobs.run('spin', undefined, { timeoutMs: 200 }),
      jobs.run('echo', 'after a time-out'),
      jobs.run('grow', undefined),
      jobs.run('echo', 'after too much memory'),
      jobs.run('exit', { code: 9 }),
      jobs.run('echo', 'after a crash'),
      jobs.run('refuse', undefined),
      jobs.run('echo', 'after a failure'),
    ])
    expect(results.map((result) => result.kind)).toEqual(['timed-out', 'ok', 'out-of-memory', 'ok', 'crashed', 'ok', 'failed', 'ok'])
  })

  test('reuses a child, starts no more than its size, and replaces one after its number of jobs', async () => {
    const jobs = pool({ size: 2, jobsPerChild: 3 })
    const results = await Promise.all(Array.from({ length: 9 }, () => jobs.run('pid', undefined)))
    const perChild = new Map<number, number>()
    for (const result of results) if (result.kind === 'ok') perChild.set(result.value, (perChild.get(result.value) ?? 0) + 1)
    expect([...perChild.values()].reduce((sum, count) => sum + count, 0)).toBe(9)
    expect(Math.max(...perChild.values())).toBe(3)
  })

  test('cancelling a spinning job ends its child; a waiting one never starts', async () => {
    const jobs = pool({ size: 1 })
    const abort = new AbortController()
    const running = jobs.run('spin', undefined, { signal: abort.signal, onEvent: () => abort.abort() })
    const waiting = jobs.run('echo', 1, { signal: abort.signal })
    const next = jobs.run('echo', 2)
    expect([(await running).kind, (await waiting).kind, await next]).toEqual(['cancelled', 'cancelled', { kind: 'ok', value: 2 }])
  })

  test('a child with nothing to do is ended', async () => {
    const started: RpcClient<WorkerApi>[] = []
    const jobs = createPool<WorkerApi>({
      size: 1,
      idleMs: 50,
      start() {
        const client = child()
        started.push(client)
        return client
      },
    })
    pools.push(jobs)
    await jobs.run('echo', 1)
    expect((await exitOf(started[0]!)).kind).toBe('killed')
    expect(await jobs.run('echo', 2)).toEqual({ kind: 'ok', value: 2 })
  })

  test('closing cancels what runs and what waits', async () => {
    const jobs = pool({ size: 1 })
    const running = jobs.run('spin', undefined, { onEvent: () => jobs.close() })
    const waiting = jobs.run('echo', 1)
    expect([(await running).kind, (await waiting).kind]).toEqual(['cancelled', 'cancelled'])
  })
})
