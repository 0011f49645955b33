import { once } from 'node:events'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import type { Command } from 'commander'
import { version } from '../../server/server.ts'
import type { Run } from '../cli.ts'
import { createLibraryServer } from '../mcp-server.ts'
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
        const { client } = await open()
        const { server, idle } = createLibraryServer(client, version)
        const input = process.stdin
        const ended = Promise.race([once(input, 'end', { signal }), once(input, 'close', { signal })]).then(
          () => true,
          () => false,
        )
        await server.connect(new StdioServerTransport())
        if (!globals.quiet) say(words.mcpRuns)
        if (await ended) {
          // What was asked before the end is still answered.
          await new Promise((done) => setImmediate(done))
          await Promise.race([idle(), new Promise((done) => setTimeout(done, patienceMs).unref())])
        }
        await server.close()
        return exitCodes.done
      }),
    )
}
