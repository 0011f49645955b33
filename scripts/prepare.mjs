// Makes a fresh clone ready. Plain JavaScript without dependencies: it runs with nothing installed.
// Everything it and its children say goes to stderr; stdout belongs to results.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))
const modules = join(root, 'node_modules')

export function say(text) {
  process.stderr.write(`${text}\n`)
}

export function fail(text) {
  say(`siku: ${text}`)
  process.exit(1)
}

/** No install step may need another host than the package registry: what would fetch something else is told not to. */
function installEnvironment() {
  const node = dirname(dirname(process.execPath))
  // Headers beside Node (as in its own archives) spare the compiler's helper from downloading them.
  const headers = [node, '/usr'].find((place) => {
    const file = join(place, 'include', 'node', 'node_version.h')
    return existsSync(file) && new RegExp(`NODE_MAJOR_VERSION ${process.versions.node.split('.')[0]}\\b`).test(readFileSync(file, 'utf8'))
  })
  return {
    ...process.env,
    ...(headers === undefined || process.env.npm_config_nodedir ? {} : { npm_config_nodedir: headers }),
    ONNXRUNTIME_NODE_INSTALL: 'skip',
    ONNXRUNTIME_NODE_INSTALL_CUDA: 'skip',
    ELECTRON_SKIP_BINARY_DOWNLOAD: '1',
    PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: '1',
    // Warnings are for whoever works on the dependencies; a failure is told in full.
    npm_config_loglevel: 'error',
  }
}

function npm(args) {
  const options = { cwd: root, env: installEnvironment(), stdio: ['ignore', 2, 2] }
  const script = process.env.npm_execpath
  if (script !== undefined && /\.c?js$/.test(script) && existsSync(script)) return spawnSync(process.execPath, [script, ...args], options)
  return spawnSync('npm', args, { ...options, shell: process.platform === 'win32' })
}

/** Installs when node_modules is missing, made from another lock, for another platform or another Node. */
export function ensureInstalled() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major < 20 || (major === 20 && minor < 19)) fail(`Node 20.19 or newer is needed; this is ${process.versions.node}.`)
  const lockPath = join(root, 'package-lock.json')
  const lock = createHash('sha256').update(readFileSync(lockPath)).digest('hex')
  const wanted = `${lock} ${process.platform} ${process.arch} ${process.versions.modules}\n`
  const stampPath = join(modules, '.siku-installed')
  const hidden = join(modules, '.package-lock.json')
  if (existsSync(hidden)) {
    if (existsSync(stampPath)) {
      if (readFileSync(stampPath, 'utf8') === wanted) return
    } else if (statSync(hidden).mtimeMs >= statSync(lockPath).mtimeMs - 10_000) {
      writeFileSync(stampPath, wanted)
      return
    }
  }
  say('siku: installing what is needed (once; some minutes) …')
  const { status, error } = npm(['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund'])
  if (status !== 0)
    fail(`the installation did not succeed${error === undefined ? '' : ` (${error.message})`}. Is the package registry within reach?`)
  writeFileSync(stampPath, wanted)
}

function sourceFiles(path, into = []) {
  const found = statSync(path)
  if (!found.isDirectory()) into.push(path)
  else for (const name of readdirSync(path).sort()) if (!/\.test\.tsx?$|\.md$/.test(name)) sourceFiles(join(path, name), into)
  return into
}

const configs = [
  'package.json',
  'package-lock.json',
  'tsconfig.base.json',
  'vite.node.config.ts',
  'vite.renderer.config.ts',
  'electron.vite.config.ts',
]
const nodeSources = ['src/contract', 'src/core', 'src/server', 'src/cli']

const parts = {
  node: {
    sources: [...configs.slice(0, 4), ...nodeSources],
    result: 'out/node/cli.js',
    command: ['node_modules/vite/bin/vite.js', 'build', '--config', 'vite.node.config.ts', '--logLevel', 'warn'],
  },
  app: {
    sources: [...configs, 'src/contract', 'src/core', 'src/main', 'src/preload', 'src/renderer'],
    result: 'out/renderer/index.html',
    command: ['node_modules/electron-vite/bin/electron-vite.js', 'build', '--logLevel', 'warn'],
  },
}

function hashOf(sources) {
  const hash = createHash('sha256')
  for (const source of sources) {
    const path = join(root, source)
    if (!existsSync(path)) continue
    for (const file of sourceFiles(path)) hash.update(relative(root, file)).update('\0').update(readFileSync(file)).update('\0')
  }
  return hash.digest('hex')
}

/** One build at a time in a checkout; a lock left by a dead one is taken over. */
function withLock(work) {
  const lock = join(root, 'out', '.building')
  mkdirSync(join(root, 'out'), { recursive: true })
  for (;;) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' })
      break
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
      const holder = Number(existsSync(lock) ? readFileSync(lock, 'utf8') : 0)
      if (holder > 0 && isAlive(holder)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200)
      else rmSync(lock, { force: true })
    }
  }
  try {
    return work()
  } finally {
    rmSync(lock, { force: true })
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** The bundled model is what its checksums say, or nothing is built. */
function verifyModels() {
  const models = join(root, 'resources', 'models')
  for (const name of existsSync(models) ? readdirSync(models) : []) {
    const sums = join(models, name, 'SHA256SUMS')
    if (!existsSync(sums)) continue
    for (const line of readFileSync(sums, 'utf8').split('\n')) {
      const match = /^([0-9a-f]{64}) [ *](.+)$/.exec(line.trim())
      if (match === null) continue
      const file = join(models, name, match[2])
      const actual = existsSync(file) ? createHash('sha256').update(readFileSync(file)).digest('hex') : 'missing'
      if (actual !== match[1])
        fail(`${relative(root, file)} is not what SHA256SUMS says (${actual.slice(0, 12)}). Fetch the repository again.`)
    }
  }
}

/** Builds the named parts (`node`: terminal and workers, `app`: interface and Electron) whose sources changed since they were built. */
export function ensureBuilt(names, { force = false } = {}) {
  const stampOf = (name) => join(root, 'out', `.built-${name}`)
  const hashes = Object.fromEntries(names.map((name) => [name, hashOf(parts[name].sources)]))
  const isCurrent = (name) =>
    existsSync(join(root, parts[name].result)) && existsSync(stampOf(name)) && readFileSync(stampOf(name), 'utf8') === hashes[name]
  if (!force && names.every(isCurrent)) return
  withLock(() => {
    const needed = force ? names : names.filter((name) => !isCurrent(name))
    if (needed.length === 0) return
    verifyModels()
    for (const name of needed) {
      say(`siku: building (${name}) …`)
      rmSync(stampOf(name), { force: true })
      const { status } = spawnSync(process.execPath, parts[name].command, { cwd: root, stdio: ['ignore', 2, 2] })
      if (status !== 0) fail(`the build of ${name} did not succeed.`)
      writeFileSync(stampOf(name), hashes[name])
    }
  })
}
