import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { MessageChannel } from 'node:worker_threads'
import { createORPCClient } from '@orpc/client'
import { RPCLink as PortLink } from '@orpc/client/message-port'
import { RPCLink as SocketLink } from '@orpc/client/websocket'
import { RPCHandler as PortHandler } from '@orpc/server/message-port'
import { RPCHandler as SocketHandler } from '@orpc/server/ws'
import { WebSocket, WebSocketServer } from 'ws'
import { createClient, type Client, type Core } from '../../src/core/core.ts'

export interface Connection {
  client: Client
  /** Leaves as a closed window does: the transport goes, the core stays. */
  leave(): Promise<void>
}

/** Each way the contract is carried in the product: in memory, over a MessagePort, over a WebSocket. */
export const transports: Record<string, (core: Core) => Promise<Connection>> = {
  'in memory': (core) => Promise.resolve({ client: createClient(core, { kind: 'local' }), leave: () => Promise.resolve() }),

  'over a MessagePort': (core) => {
    const { port1, port2 } = new MessageChannel()
    new PortHandler(core.router).upgrade(port1, { context: { core: core.context, caller: { kind: 'window' } } })
    const client: Client = createORPCClient(new PortLink({ port: port2 }))
    port1.start()
    port2.start()
    return Promise.resolve({
      client,
      leave: () => {
        port2.close()
        return Promise.resolve()
      },
    })
  },

  'over a WebSocket': async (core) => {
    const server: Server = createServer()
    const sockets = new WebSocketServer({ server })
    const handler = new SocketHandler(core.router)
    sockets.on('connection', (socket) => {
      void handler.upgrade(socket, { context: { core: core.context, caller: { kind: 'browser' } } })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const socket = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
    const client: Client = createORPCClient(new SocketLink({ websocket: socket as unknown as globalThis.WebSocket }))
    await new Promise((resolve) => socket.once('open', resolve))
    return {
      client,
      leave: async () => {
        socket.terminate()
        sockets.close()
        await new Promise((resolve) => server.close(resolve))
      },
    }
  },
}
