#!/usr/bin/env node
import { existsSync } from 'node:fs'

const built = new URL('../out/node/cli.js', import.meta.url)
if (!existsSync(built)) {
  process.stderr.write('siku: it is not built yet. Run "npm start -- --help" once, which builds it.\n')
  process.exit(1)
}
const { runCommandLine } = await import(built.href)
process.exit(await runCommandLine(process.argv.slice(2)))
