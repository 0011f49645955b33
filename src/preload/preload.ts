import { contextBridge, ipcRenderer, webUtils } from 'electron'

/** All that the page gets from Electron: where dropped files lie, and a port to the core. */
contextBridge.exposeInMainWorld('siku', {
  host: 'electron',
  pathsOf: (files: File[]) => Array.from(files, (file) => webUtils.getPathForFile(file)).filter((path) => path !== ''),
  connect: () => ipcRenderer.send('siku-connect'),
})

// A port cannot cross the bridge; it reaches the page as a message of its own window.
ipcRenderer.on('siku-port', (event) => {
  window.postMessage({ type: 'siku-port' }, '*', [...event.ports])
})
