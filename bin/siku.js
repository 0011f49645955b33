#!/usr/bin/env node
import { existsSync } from 'node:fs'

// Before anything is loaded: an interruption is said as such from the first moment. The command takes this over.
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
const onSignal = () => {
  process.stderr.write(
    /^zh/i.test(process.env.LC_ALL || process.env.LC_MESSAGES || process.env.LANG || '') ? '已中断。\n' : 'Interrupted.\n',
  )
  process.exit(130)
}
for (const name of signals) process.on(name, onSignal)

const built = new URL('../out/node/cli.js', import.meta.url)
if (!existsSync(built)) {
  process.stderr.write('siku: it is not built yet. Run "npm start -- --help" once, which builds it.\n')
  process.exit(1)
}
const { runCommandLine } = await import(built.href)
const code = await runCommandLine(process.argv.slice(2), () => {
  for (const name of signals) process.off(name, onSignal)
})
process.exit(code)
