/* eslint-disable @typescript-eslint/no-unused-vars, @typescript-eslint/no-unused-expressions */
// Runs in the page before anything else: the half of Electron that a preload script sees. The built preload is put in below.
;(() => {
  if (window.top !== window || window.__standIn) return
  const listeners = new Map()
  const ports = new Map()
  const tell = (message) => window.__standInTell(JSON.stringify(message))

  function toText(data) {
    if (typeof data === 'string') return { text: data }
    const bytes = data instanceof ArrayBuffer ? new Uint8Array(data) : new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    let binary = ''
    for (const byte of bytes) binary += String.fromCharCode(byte)
    return { base64: btoa(binary) }
  }
  function fromText({ text, base64 }) {
    return text ?? Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  }
  function openPort(id) {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = (event) => tell({ type: 'port-message', id, data: toText(event.data) })
    ports.set(id, port1)
    return port2
  }

  window.__standIn = {
    /** Where the files of the next drop lie: a browser does not say, Electron does. */
    dropped: {},
    deliver(message) {
      if (message.type === 'port-message') ports.get(message.id)?.postMessage(fromText(message.data))
      else for (const listener of listeners.get(message.channel) ?? []) listener({ ports: message.ports.map(openPort) }, message.body)
    },
  }

  const electron = {
    contextBridge: {
      exposeInMainWorld(name, value) {
        Object.defineProperty(window, name, { value: Object.freeze(value), enumerable: true })
      },
    },
    ipcRenderer: {
      send: (channel, ...args) => tell({ type: 'ipc', channel, args }),
      on: (channel, listener) => listeners.set(channel, [...(listeners.get(channel) ?? []), listener]),
    },
    webUtils: { getPathForFile: (file) => window.__standIn.dropped[file.name] ?? '' },
  }
  const require = (name) => {
    if (name !== 'electron') throw new Error(`a sandboxed preload cannot require ${name}`)
    return new Proxy(electron, {
      get(target, key) {
        if (!(key in target)) throw new Error(`the stand-in has no electron.${String(key)} for a preload`)
        return target[key]
      },
    })
  }
  const module = { exports: {} }
  ;((require, module, exports) => {
    $PRELOAD$
  })(require, module, module.exports)
})()
