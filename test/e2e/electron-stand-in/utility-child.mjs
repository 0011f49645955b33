// Makes a forked process look like Electron's utility process: `process.parentPort` instead of `process.send`.
import { EventEmitter } from 'node:events'

const send = process.send.bind(process)
const port = new EventEmitter()
port.postMessage = (message) => send(message)
process.on('message', (data) => port.emit('message', { data, ports: [] }))
process.on('disconnect', () => process.exit(0))
process.parentPort = port
process.send = undefined
