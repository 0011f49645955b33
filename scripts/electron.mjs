// Finds Electron's binary, or fetches it at the first start of the app: never for a command, a test or an installation.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, say } from './prepare.mjs'

const connectTimeoutMs = 5000
const rememberForMs = 7 * 24 * 3_600_000
const electron = join(root, 'node_modules', 'electron')
const memory = join(root, 'node_modules', '.siku-electron.json')

const names = { darwin: 'Electron.app/Contents/MacOS/Electron', win32: 'electron.exe' }

export function electronBinary(env = process.env) {
  const path = join(env.ELECTRON_OVERRIDE_DIST_PATH ?? join(electron, 'dist'), names[process.platform] ?? 'electron')
  return existsSync(path) ? path : null
}

function remembered() {
  try {
    const { failedAt, why } = JSON.parse(readFileSync(memory, 'utf8'))
    return Date.now() - failedAt < rememberForMs ? { failedAt, why } : null
  } catch {
    return null
  }
}

function remember(why) {
  writeFileSync(memory, JSON.stringify({ failedAt: Date.now(), why }))
  return why
}

function address() {
  const { version } = JSON.parse(readFileSync(join(electron, 'package.json'), 'utf8'))
  const mirror = process.env.ELECTRON_MIRROR || process.env.npm_config_electron_mirror
  const base = mirror ? `${mirror.replace(/\/$/, '')}/v${version}` : `https://github.com/electron/electron/releases/download/v${version}`
  return `${base}/electron-v${version}-${process.platform}-${process.arch}.zip`
}

const proxied = () => Boolean(process.env.HTTPS_PROXY || process.env.https_proxy || process.env.HTTP_PROXY || process.env.http_proxy)

/** Null when its host answers within five seconds, else why not. */
async function unreachable(url) {
  try {
    const { EnvHttpProxyAgent, fetch } = await import('undici')
    const dispatcher = proxied() ? { dispatcher: new EnvHttpProxyAgent() } : {}
    const response = await fetch(url, { method: 'HEAD', redirect: 'follow', signal: AbortSignal.timeout(connectTimeoutMs), ...dispatcher })
    return response.ok ? null : `its host answered ${response.status}`
  } catch (error) {
    return error.name === 'TimeoutError' ? 'no connection within 5 s' : `no connection (${error.cause?.code ?? error.message})`
  }
}

/** The binary's path, or `{ why }` in words that end the sentence "Siku opens in the browser, because …". */
export async function findElectron({ retry }) {
  const found = electronBinary()
  if (found !== null) return { path: found }
  const again = 'to try again: npm start -- --window'
  const before = retry ? null : remembered()
  if (before !== null) {
    return { why: `Electron could not be fetched on ${new Date(before.failedAt).toISOString().slice(0, 10)} (${before.why}); ${again}` }
  }
  const trouble = await unreachable(address())
  if (trouble !== null) return { why: `Electron could not be fetched (${remember(trouble)}); ${again}` }
  say('siku: fetching Electron (once, about 120 MB) …')
  const { status } = spawnSync(process.execPath, [join(electron, 'install.js')], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    timeout: 15 * 60_000,
    env: { ...process.env, ELECTRON_SKIP_BINARY_DOWNLOAD: '', ...(proxied() ? { ELECTRON_GET_USE_PROXY: '1' } : {}) },
  })
  const fetched = electronBinary()
  if (status !== 0 || fetched === null) return { why: `Electron could not be fetched (${remember('the download failed')}); ${again}` }
  rmSync(memory, { force: true })
  return { path: fetched }
}

/** Runs the app until it ends. `{ started: false }` when it could not even open. */
export function runElectron(path) {
  const { ELECTRON_RUN_AS_NODE: _left, ...env } = process.env
  const startedAt = Date.now()
  return new Promise((done) => {
    const child = spawn(path, [root], { stdio: ['ignore', 2, 2], env })
    const pass = (signal) => child.kill(signal)
    process.on('SIGINT', pass)
    process.on('SIGTERM', pass)
    const end = (result) => {
      process.off('SIGINT', pass)
      process.off('SIGTERM', pass)
      done(result)
    }
    child.on('error', (error) => end({ started: false, why: `Electron did not start (${error.message})` }))
    child.on('exit', (code, signal) => {
      const failedAtOnce = code !== 0 && signal === null && Date.now() - startedAt < 10_000
      end(failedAtOnce ? { started: false, why: `Electron ended at once with code ${code}` } : { started: true, code: code ?? 130 })
    })
  })
}
