/** What the preload script of the Electron host lays on the page; absent in the browser host. */
export interface Bridge {
  host: 'electron'
  /** Absolute paths of dropped files and folders. */
  pathsOf: (files: File[]) => string[]
  /** Asks for a MessagePort to the core; it comes by `window.postMessage({type: 'siku-port'})`. */
  connect: () => void
}

declare global {
  interface Window {
    siku?: Bridge
  }
}

export function bridge(): Bridge | undefined {
  return window.siku
}
