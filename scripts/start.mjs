// `npm start` opens the app, with `--home DIR` on the library that lies there; `npm start -- <command>` is the command line.
import { ensureBuilt, ensureInstalled, fail, root, say } from './prepare.mjs'
import { findElectron, runElectron } from './electron.mjs'
import { pathToFileURL } from 'node:url'
import { join, resolve } from 'node:path'

const given = process.argv.slice(2)
const hosts = ['--window', '--browser']
const wantedHost = hosts.includes(given[0]) ? given[0] : null
const rest = wantedHost === null ? given : given.slice(1)
const home = homeAlone(rest)
if (home !== null) process.env.SIKU_HOME = resolve(home)
const args = home === null ? rest : []

/** The directory, where nothing but that is said. */
function homeAlone([option = '', directory = '', ...more]) {
  if (option.startsWith('--home=') && directory === '' && more.length === 0) return option.slice('--home='.length)
  return option === '--home' && directory !== '' && !directory.startsWith('-') && more.length === 0 ? directory : null
}

async function commandLine(commandArgs) {
  const { runCommandLine } = await import(pathToFileURL(join(root, 'out', 'node', 'cli.js')).href)
  process.exit(await runCommandLine(commandArgs))
}

function hasDisplay() {
  if (process.platform === 'win32' || process.platform === 'darwin') return process.env.SSH_CONNECTION === undefined
  return Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY)
}

/** Why there is no window, after trying to open one; the program ends when it was opened. */
async function openWindow() {
  if (wantedHost === '--browser') return 'asked for'
  if (!hasDisplay()) return 'there is no display here'
  if (process.getuid?.() === 0) return 'Electron does not run as root'
  const found = await findElectron({ retry: wantedHost === '--window' })
  if (found.path === undefined) return found.why
  const { started, why, code } = await runElectron(found.path)
  return started ? process.exit(code) : why
}

ensureInstalled()
if (args.length > 0) {
  if (wantedHost !== null) fail(`${wantedHost} opens the app and takes no command.`)
  ensureBuilt(args.includes('serve') ? ['node', 'app'] : ['node'])
  await commandLine(args)
} else {
  ensureBuilt(['node', 'app'])
  const why = await openWindow()
  if (wantedHost !== '--browser') say(`siku: it opens in the browser, because ${why}.`)
  await commandLine(['serve', ...(hasDisplay() ? ['--open'] : [])])
}
