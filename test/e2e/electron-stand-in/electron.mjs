// A stand-in for the `electron` module: what main uses of it, over a real Chromium. What it does not know is not exported,
// so that main fails to start, loudly, when it uses more. SIKU_STAND_IN_BROWSER is the address of the browser's DevTools.
import { fork } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'

const said = (what, value) => process.stdout.write(`${JSON.stringify({ what, ...value })}\n`)

// ---- app
class App extends EventEmitter {
  isPackaged = false
  #ready = new Promise((done) => setTimeout(done, 10))
  whenReady = () => this.#ready
  requestSingleInstanceLock = () => true
  setPath = (name, path) => said('set-path', { name, path })
  getLocale = () => process.env.SIKU_STAND_IN_LOCALE ?? 'en'
  relaunch = () => said('relaunch', {})
  quit() {
    let stopped = false
    this.emit('will-quit', { preventDefault: () => (stopped = true) })
    if (!stopped) this.exit(0)
  }
  exit(code = 0) {
    said('exit', { code })
    process.exit(code)
  }
}
export const app = new App()
process.on('SIGTERM', () => app.quit())
process.on('SIGINT', () => app.quit())

// ---- protocol: the page's scheme becomes an address on this machine, since a real drop works on http pages only
let handler = null
let privileges = null
let origin = null
export const protocol = {
  registerSchemesAsPrivileged: (schemes) => (privileges = schemes[0]),
  handle: (scheme, handle) => {
    if (privileges?.scheme !== scheme || !privileges.privileges.standard || !privileges.privileges.secure) {
      throw new Error('the scheme must be registered as standard and secure before the app is ready')
    }
    handler = { scheme, handle }
  },
}
const server = createServer(async (request, response) => {
  const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => ['range', 'accept'].includes(name)))
  const answer = await handler.handle(new Request(`${handler.scheme}://app${request.url}`, { method: request.method, headers }))
  response.writeHead(answer.status, Object.fromEntries(answer.headers))
  if (answer.body === null) response.end()
  else await pipeline(Readable.fromWeb(answer.body), response).catch(() => response.destroy())
})
async function openAddress(address) {
  if (origin === null) {
    await new Promise((done) => server.listen(0, '127.0.0.1', done))
    origin = `http://127.0.0.1:${server.address().port}`
  }
  return address.replace(`${handler.scheme}://app`, origin)
}
const shownAddress = (address) => (origin === null ? address : address.replace(origin, `${handler.scheme}://app`))

// ---- ports
const ports = new Map()
let serial = 0
class Port extends EventEmitter {
  id = `port-${(serial += 1)}`
  other = null
  /** Set once the port was handed to a page: what its other end posts goes there. */
  forward = null
  #queue = []
  #started = false
  start() {
    this.#started = true
    for (const data of this.#queue.splice(0)) this.emit('message', { data, ports: [] })
  }
  arrive(data) {
    if (this.forward !== null) this.forward(data)
    else if (this.#started) this.emit('message', { data, ports: [] })
    else this.#queue.push(data)
  }
  postMessage(data) {
    this.other.arrive(data)
  }
  close() {
    this.other.emit('close')
  }
}
export class MessageChannelMain {
  constructor() {
    this.port1 = new Port()
    this.port2 = new Port()
    this.port1.other = this.port2
    this.port2.other = this.port1
  }
}
const toText = (data) => (typeof data === 'string' ? { text: data } : { base64: Buffer.from(data).toString('base64') })
const fromText = ({ text, base64 }) => text ?? new Uint8Array(Buffer.from(base64, 'base64'))

// ---- windows
export const ipcMain = new EventEmitter()
const windows = new Set()
const preloadWrapper = readFileSync(new URL('./page-side.js', import.meta.url), 'utf8')

class WebContents extends EventEmitter {
  mainFrame
  openHandler = () => ({ action: 'allow' })
  constructor(window) {
    super()
    this.window = window
    this.mainFrame = {
      get url() {
        return shownAddress(window.page.url())
      },
      postMessage: (channel, body, sent = []) => this.send(channel, body, sent),
    }
  }
  setWindowOpenHandler(handle) {
    this.openHandler = handle
  }
  #last = Promise.resolve()
  deliver(message) {
    this.#last = this.#last
      .then(() => this.window.page.evaluate((value) => window.__standIn.deliver(value), message))
      .catch(() => undefined)
  }
  send(channel, body, sent) {
    for (const port of sent) {
      ports.set(port.id, port)
      port.forward = (data) => this.deliver({ type: 'port-message', id: port.id, data: toText(data) })
    }
    this.deliver({ type: 'ipc', channel, body, ports: sent.map(({ id }) => id) })
  }
}

export class BrowserWindow extends EventEmitter {
  static fromWebContents = (contents) => contents.window
  constructor(options) {
    super()
    const { sandbox, contextIsolation, nodeIntegration, preload } = options.webPreferences
    if (sandbox !== true || contextIsolation !== true || nodeIntegration !== false) throw new Error('the window is not locked down')
    this.preload = preload
    this.webContents = new WebContents(this)
    windows.add(this)
    app.emit('web-contents-created', {}, this.webContents)
  }
  async loadURL(address) {
    const browser = await chromium.connectOverCDP(process.env.SIKU_STAND_IN_BROWSER)
    const context = browser.contexts()[0]
    this.page = await context.newPage()
    const script = preloadWrapper.replace('$PRELOAD$', () => readFileSync(this.preload, 'utf8'))
    await this.page.exposeBinding('__standInTell', (_source, text) => this.#hear(JSON.parse(text)))
    await this.page.addInitScript(script)
    this.page.on('popup', async (popup) => {
      const { action } = this.webContents.openHandler({ url: popup.url() })
      said('window-open', { url: popup.url(), action })
      await popup.close()
    })
    // A page that is left takes its ports with it; a step within the page does not.
    this.page.on('request', (request) => {
      if (request.isNavigationRequest() && request.frame() === this.page.mainFrame()) this.#closePorts()
    })
    this.page.on('close', () => {
      this.#closePorts()
      windows.delete(this)
      this.emit('closed')
      if (windows.size === 0) app.emit('window-all-closed')
    })
    const target = await openAddress(address)
    await this.page.goto(target)
    this.emit('ready-to-show')
    said('window', { address: target })
  }
  #closePorts() {
    for (const port of ports.values()) port.close()
    ports.clear()
  }
  #hear(message) {
    if (message.type === 'port-message') ports.get(message.id)?.other.arrive(fromText(message.data))
    else ipcMain.emit(message.channel, { sender: this.webContents, senderFrame: this.webContents.mainFrame }, ...message.args)
  }
  isDestroyed = () => this.page?.isClosed() ?? false
  isMinimized = () => false
  restore() {}
  show() {}
  focus() {}
}

// ---- the rest
export const utilityProcess = {
  fork(path, args, options) {
    const child = fork(path, args, {
      serialization: 'advanced',
      env: options.env ?? process.env,
      execArgv: ['--import', new URL('./utility-child.mjs', import.meta.url).href],
      stdio: ['ignore', 2, 'inherit', 'ipc'],
    })
    const utility = new EventEmitter()
    Object.defineProperty(utility, 'pid', { get: () => (child.exitCode === null && child.signalCode === null ? child.pid : undefined) })
    utility.postMessage = (message) => child.connected && child.send(message, () => undefined)
    utility.kill = () => child.kill('SIGTERM')
    child.on('spawn', () => utility.emit('spawn'))
    child.on('message', (message) => utility.emit('message', message))
    child.on('exit', (code) => utility.emit('exit', code))
    said('utility', { path: fileURLToPath(new URL(path, 'file:///')), service: options.serviceName })
    return utility
  },
}
const seal = (bytes) => Buffer.from(bytes.map((byte) => byte ^ 0x5a))
export const safeStorage = {
  getSelectedStorageBackend: () => (process.env.SIKU_STAND_IN_KEYRING === 'none' ? 'basic_text' : 'gnome_libsecret'),
  isAsyncEncryptionAvailable: () => Promise.resolve(process.env.SIKU_STAND_IN_KEYRING !== 'none'),
  encryptStringAsync: (text) => Promise.resolve(seal(Buffer.from(text))),
  decryptStringAsync: (sealed) => Promise.resolve({ result: seal(sealed).toString('utf8'), shouldReEncrypt: false }),
}
export const dialog = {
  showErrorBox: (title, content) => said('error-box', { title, content }),
  showMessageBox: (_window, options) => {
    said('message-box', { message: options.message, detail: options.detail })
    return Promise.resolve({ response: options.cancelId ?? 0 })
  },
  showOpenDialog: () => Promise.resolve({ canceled: false, filePaths: JSON.parse(process.env.SIKU_STAND_IN_PICKS ?? '[]') }),
}
export const shell = {
  openPath: (path) => (said('open-path', { path }), Promise.resolve('')),
  showItemInFolder: (path) => said('show-item', { path }),
  openExternal: (address) => (said('open-external', { address }), Promise.resolve()),
}
export const Menu = {
  buildFromTemplate: (template) => ({ template }),
  setApplicationMenu: ({ template }) => said('menu', { entries: template.length }),
}
export const nativeTheme = { shouldUseDarkColors: false }
export const session = {
  defaultSession: {
    setPermissionRequestHandler: (handle) => {
      for (const mediaTypes of [['video'], ['audio', 'video'], ['audio'], []])
        handle({}, 'media', (granted) => said('permission', { media: mediaTypes.join('+'), granted }), { mediaTypes })
      handle({}, 'geolocation', (granted) => said('permission', { place: granted }), {})
    },
    setPermissionCheckHandler: () => undefined,
    setDevicePermissionHandler: () => undefined,
    webRequest: { onBeforeRequest: (check) => check({ url: 'https://example.org/' }, ({ cancel }) => said('outside', { cancel })) },
  },
}
