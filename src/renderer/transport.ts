import { RPCLink as PortLink } from '@orpc/client/message-port'
import { RPCLink as SocketLink } from '@orpc/client/websocket'
import type { ClientContext, ClientLink } from '@orpc/client'
import { bridge, type Bridge } from './bridge.ts'

export type Link = ClientLink<ClientContext>

export interface Transport {
  link: Link
  /** Settles when the connection is gone. */
  closed: Promise<void>
}

const openTimeoutMs = 10_000

function openSocket(): Promise<Transport> {
  return new Promise((resolve, reject) => {
    const address = new URL('rpc', document.baseURI)
    address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:'
    const websocket = new WebSocket(address)
    websocket.binaryType = 'arraybuffer'
    const timer = setTimeout(() => websocket.close(), openTimeoutMs)
    const closed = new Promise<void>((settle) => websocket.addEventListener('close', () => settle(), { once: true }))
    const link: Link = new SocketLink({ websocket })
    websocket.addEventListener('open', () => {
      clearTimeout(timer)
      resolve({ link, closed })
    })
    void closed.then(() => {
      clearTimeout(timer)
      reject(new Error('The connection was closed.'))
    })
  })
}

function openPort(host: Bridge): Promise<Transport> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      window.removeEventListener('message', receive)
      reject(new Error('No port came.'))
    }, openTimeoutMs)
    function receive(event: MessageEvent) {
      if (event.source !== window || (event.data as { type?: unknown } | null)?.type !== 'siku-port') return
      const port = event.ports[0]
      if (port === undefined) return
      clearTimeout(timer)
      window.removeEventListener('message', receive)
      const closed = new Promise<void>((settle) => port.addEventListener('close', () => settle(), { once: true }))
      const link: Link = new PortLink({ port })
      port.start()
      resolve({ link, closed })
    }
    window.addEventListener('message', receive)
    host.connect()
  })
}

export function openTransport(): Promise<Transport> {
  const host = bridge()
  return host === undefined ? openSocket() : openPort(host)
}
