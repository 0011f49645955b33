import type { Command } from 'commander'
import { z } from 'zod'
import type { Run } from '../cli.ts'
import { wholeNumber } from '../options.ts'
import { jsonResult, result, say } from '../output.ts'
import { desktopHere, openInBrowser, startServer } from '../../server/server.ts'

const optionsSchema = z.object({ port: z.number().default(0), open: z.boolean().default(false) })

export function addServe(siku: Command, run: Run): void {
  siku
    .command('serve')
    .description('the interface in a browser of this machine: prints an address that lets one browser in, once')
    .option('--port <n>', 'this port of 127.0.0.1 instead of a free one', wholeNumber(0, 65_535))
    .option('--open', 'open the address in the default browser')
    .addHelpText('after', '\nExamples:\n  $ siku serve --open\n  $ siku serve --port 4180')
    .action((given: unknown, command: Command) =>
      run(command, async ({ open, globals, words, signal, dataDir, builtDir }) => {
        const options = optionsSchema.parse(given)
        const shared = await open({ host: 'browser', desktop: desktopHere(process.env) })
        const server = await startServer({
          shared,
          dataDir,
          rendererDir: new URL('../renderer/', builtDir),
          port: options.port,
          onNewAddress: (address) => say(`${words.newAddress} ${address}`),
        })
        try {
          if (globals.json) jsonResult({ address: server.address, port: server.port })
          else {
            if (!globals.quiet) say(words.serving)
            result(server.address)
            if (!globals.quiet) say(words.pressToEnd)
          }
          if (options.open) await openInBrowser(server.address)
          if (!signal.aborted) await new Promise((done) => signal.addEventListener('abort', done, { once: true }))
        } finally {
          await server.close()
        }
      }),
    )
}
