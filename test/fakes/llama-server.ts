import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'

/** A real llama.cpp server: SIKU_LLAMA_SERVER names the program, SIKU_LLAMA_MODEL a GGUF. */
const program = process.env['SIKU_LLAMA_SERVER'] ?? ''
const gguf = process.env['SIKU_LLAMA_MODEL'] ?? ''

/** Why there is none; empty when there is one. */
export const llamaIsMissing: string = [
  existsSync(program) ? '' : 'SIKU_LLAMA_SERVER names no llama.cpp server',
  existsSync(gguf) ? '' : 'SIKU_LLAMA_MODEL names no GGUF',
]
  .filter((reason) => reason !== '')
  .join(', ')

export interface LlamaServer {
  /** The base URL, as a user writes it into the settings. */
  readonly base: string
  close(): Promise<void>
}

/** Resolves once the model is loaded; rejects with what the program said when it ended before. */
export async function startLlama(): Promise<LlamaServer> {
  const port = await freePort()
  const options = ['--host', '127.0.0.1', '--port', String(port), '--model', gguf, '--ctx-size', '2048']
  const server = spawn(program, [...options, '--parallel', '1', '--threads', '1', '--jinja'], { stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [server.stdout, server.stderr]) stream.on('data', (data: Buffer) => (said = (said + data.toString()).slice(-3000)))
  const ended = new Promise<void>((resolve) => server.once('close', () => resolve()))
  const address = `http://127.0.0.1:${port}`
  for (;;) {
    if (server.exitCode !== null) throw new Error(`the llama.cpp server ended:\n${said}`)
    const isReady = await fetch(`${address}/health`).then(
      (response) => response.ok,
      () => false,
    )
    if (isReady) break
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return {
    base: `${address}/v1`,
    async close() {
      server.kill()
      await ended
    },
  }
}

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return port
}
