import { createORPCClient } from '@orpc/client'
import type { ContractRouterClient } from '@orpc/contract'
import { create } from 'zustand'
import type { Contract } from '../contract/contract.ts'
import { bridge } from './bridge.ts'
import { openTransport, type Link, type Transport } from './transport.ts'

export type Client = ContractRouterClient<Contract>

interface ConnectionState {
  /** `lost` is said on the screen; `connecting` is only the first moment. */
  state: 'connecting' | 'open' | 'lost'
  /** Rises with every new connection: what was read over an older one may be stale. */
  generation: number
  /** Failed tries since the last connection. */
  failures: number
  /** Lost for so long that it will hardly come back by itself. */
  gone: boolean
}
export const useConnection = create<ConnectionState>(() => ({ state: 'connecting', generation: 0, failures: 0, gone: false }))

/** A call made while the connection is lost waits this long for the next one before it fails. */
const patienceMs = 8_000
/** Longer than a break in the line, and in an app longer than its core takes to start anew. A page of a browser is given another address then. */
const goneAfterMs = (): number => (bridge() === undefined ? 6_000 : 15_000)
let waiting: ((transport: Transport) => void)[] = []
let current: Transport | null = null

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}

/** Opens the connection and, for as long as the page lives, opens it again when it breaks. */
export async function keepConnected(): Promise<never> {
  let lostTimer: ReturnType<typeof setTimeout> | undefined
  for (let attempt = 0; ; attempt += 1) {
    try {
      const transport = await openTransport()
      attempt = 0
      current = transport
      clearTimeout(lostTimer)
      lostTimer = undefined
      useConnection.setState(({ generation }) => ({ state: 'open', generation: generation + 1, failures: 0, gone: false }))
      for (const give of waiting.splice(0)) give(transport)
      await transport.closed
    } catch {
      // Said by the state below, and tried again.
    }
    current = null
    lostTimer ??= setTimeout(() => useConnection.setState({ gone: true }), goneAfterMs())
    useConnection.setState(({ failures }) => ({ state: 'lost', failures: failures + 1 }))
    await pause(Math.min(5_000, 250 * 2 ** Math.min(attempt, 5)))
  }
}

function ready(): Promise<Transport> {
  if (current !== null) return Promise.resolve(current)
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      waiting = waiting.filter((give) => give !== accept)
      reject(new Error('There is no connection.'))
    }, patienceMs)
    function accept(transport: Transport) {
      clearTimeout(timer)
      resolve(transport)
    }
    waiting.push(accept)
  })
}

const link: Link = {
  async call(path, input, options) {
    const transport = await ready()
    return transport.link.call(path, input, options)
  },
}

export const client: Client = createORPCClient(link)
