import { Socket } from 'node:net'

/** Tests cannot reach the world: keys are gone, and a connection to anything but this machine throws. */
for (const name of Object.keys(process.env)) {
  if (/(_API_KEY|_BASE_URL|^OLLAMA_|_PROXY|_proxy)/.test(name)) delete process.env[name]
}

// ONNX Runtime reports home unless told not to.
process.env['ORT_DISABLE_TELEMETRY'] = '1'

const local = /^(localhost|127\.\d+\.\d+\.\d+|::1|::|0\.0\.0\.0)$/
const connect = Socket.prototype.connect
Socket.prototype.connect = function (this: Socket, ...args: unknown[]): Socket {
  const flat = args.flat()
  const first = flat[0]
  const host =
    typeof first === 'object' && first !== null && 'host' in first ? first.host : typeof flat[1] === 'string' ? flat[1] : undefined
  if (typeof host === 'string' && !local.test(host)) throw new Error(`a test tried to reach ${host}`)
  return (connect as (...values: unknown[]) => Socket).apply(this, args)
} as typeof Socket.prototype.connect
