import { contract } from '../../contract/contract.ts'
import type { TurnEvent } from '../../contract/answer.ts'
import { SikuError } from '../../contract/errors.ts'
import type { Client } from '../core.ts'

/** A way to a library, which may break. */
export interface Connected {
  readonly client: Client
  readonly isLost: () => boolean
  /** Where the work is done; another one after the host has ended. */
  readonly host: string
}

type Options = { signal?: AbortSignal }
type Call = (input: unknown, options: Options) => Promise<unknown>

const attempts = 3

function isStream(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}

/**
 * The same calls over connections that come and go. A call whose host went away is made again over the next one;
 * `library.progress` goes on, and so does `turns.watch` while the host that does the turn is still there. When that host has ended,
 * its turns have ended with it: watching one rejects with `network`, as every other stream does.
 */
export function lastingClient(current: () => Connected, reconnect: () => Promise<Connected>): Client {
  function callOver(connected: Connected, group: string, name: string): Call {
    return (connected.client as unknown as Record<string, Record<string, Call>>)[group]![name]!
  }

  async function call(group: string, name: string, input: unknown, options: Options): Promise<unknown> {
    for (let attempt = 1; ; attempt += 1) {
      const connected = current()
      try {
        if (connected.isLost()) throw lost()
        const answer = await callOver(connected, group, name)(input, options)
        return isStream(answer) ? stream(group, name, input, options, connected, answer) : answer
      } catch (error) {
        if (!connected.isLost() || options.signal?.aborted || attempt >= attempts) throw connected.isLost() ? lost(error) : error
        await reconnect()
      }
    }
  }

  async function* stream(
    group: string,
    name: string,
    input: unknown,
    options: Options,
    connected: Connected,
    events: AsyncIterable<unknown>,
  ): AsyncGenerator<unknown, void> {
    let next = input
    let isOver = name !== 'watch'
    try {
      for await (const event of events) {
        yield event
        if (name !== 'watch') continue
        const { seq, type } = event as TurnEvent
        next = { ...(input as object), from: seq + 1 }
        isOver = type === 'turn-end'
      }
      if (isOver || !connected.isLost()) return
    } catch (error) {
      if (!connected.isLost() || options.signal?.aborted) throw error
      if (name !== 'watch' && name !== 'progress') throw lost(error)
    }
    const { host } = await reconnect()
    if (name === 'watch' && host !== connected.host) throw ended()
    yield* (await call(group, name, next, options)) as AsyncIterable<unknown>
  }

  return Object.fromEntries(
    Object.entries(contract).map(([group, members]) => [
      group,
      Object.fromEntries(
        Object.keys(members).map((name) => [name, (input: unknown = {}, options: Options = {}) => call(group, name, input, options)]),
      ),
    ]),
  ) as unknown as Client
}

function ended(): SikuError {
  return new SikuError('network', 'The Siku that did this work has ended.', {
    hint: 'Ask again: what was written is kept.',
    retryable: true,
  })
}

function lost(cause?: unknown): SikuError {
  return new SikuError('network', 'The Siku that had the library open went away.', { hint: 'Try again.', retryable: true, cause })
}
