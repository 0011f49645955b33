import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type * as Protocol from '@modelcontextprotocol/sdk/types.js'
import type { Command } from 'commander'
import { version } from '../../server/server.ts'
import type { Run } from '../cli.ts'
import { say } from '../output.ts'
import { exitCodes } from '../run.ts'

/** How long calls that were begun may still take when the input has ended. */
const patienceMs = 60_000

export function addMcp(siku: Command, run: Run): void {
  siku
    .command('mcp')
    .description('the library for other assistants, as an MCP server on stdin and stdout: search, read, list; nothing is changed')
    .addHelpText(
      'after',
      `
It is started by the other program, for example with this in its settings:
  {"mcpServers": {"siku": {"command": "siku", "args": ["mcp"]}}}
It works while the app is open, too. It ends when its input ends.`,
    )
    .action((_options, command: Command) =>
      run(command, async ({ open, globals, words, signal }) => {
        // Loaded here: no other command needs the protocol.
        const [{ createLibraryServer }, { StdioServerTransport }, protocol] = await Promise.all([
          import('../mcp-server.ts'),
          import('@modelcontextprotocol/sdk/server/stdio.js'),
          import('@modelcontextprotocol/sdk/types.js'),
        ])
        const { client } = await open()
        const server = createLibraryServer(client, version)
        const input = process.stdin
        const ended = Promise.race([once(input, 'end', { signal }), once(input, 'close', { signal })]).then(
          () => true,
          () => false,
        )
        const transport = new StdioServerTransport()
        const unanswered = watchCalls(transport, protocol)
        await server.connect(transport)
        if (!globals.quiet) say(words.mcpRuns)
        if (await ended) {
          // What was asked before the end is still answered.
          const until = performance.now() + patienceMs
          while (unanswered.size > 0 && performance.now() < until && !signal.aborted) await delay(20)
        }
        await server.close()
        return exitCodes.done
      }),
    )
}

/** The ids of what was asked and is not answered yet, kept as messages go by. */
function watchCalls(
  transport: Transport,
  { isJSONRPCRequest, CancelledNotificationSchema }: typeof Protocol,
): ReadonlySet<string | number> {
  const unanswered = new Set<string | number>()
  const send = transport.send.bind(transport)
  // The SDK calls a listener that is there before its own.
  transport.onmessage = (message) => {
    if (isJSONRPCRequest(message)) unanswered.add(message.id)
    const cancelled = CancelledNotificationSchema.safeParse(message)
    if (cancelled.success && cancelled.data.params.requestId !== undefined) unanswered.delete(cancelled.data.params.requestId)
  }
  transport.send = async (message, options) => {
    await send(message, options)
    if ('id' in message && message.id !== undefined && !('method' in message)) unanswered.delete(message.id)
  }
  return unanswered
}
