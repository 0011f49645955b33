import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findOllama, startOllama } from './ollama.ts'

let directory: string
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'siku-ollama-'))
})
afterAll(() => rmSync(directory, { recursive: true, force: true }))

/** A program of that name that answers at OLLAMA_HOST and ends when it is asked to. */
const server = `#!${process.execPath}
const [host, port] = process.env.OLLAMA_HOST.split(':')
require('node:http').createServer((request, response) => {
  response.end(process.argv.slice(2).join(' '))
  if (request.url === '/end') process.exit(0)
}).listen(Number(port), host)
setTimeout(() => process.exit(0), 60000)
`

async function freePort(): Promise<number> {
  const held = createServer()
  await new Promise<void>((resolve) => held.listen(0, '127.0.0.1', resolve))
  const { port } = held.address() as AddressInfo
  await new Promise((resolve) => held.close(resolve))
  return port
}

const nowhere = { platform: 'linux' as const, homeDir: '/nowhere' }

describe.skipIf(process.platform === 'win32')('an Ollama on this computer', () => {
  test('is started as a process of its own at the address that is asked for', async () => {
    const path = join(directory, 'ollama')
    writeFileSync(path, server)
    chmodSync(path, 0o755)
    const env = { PATH: `/no/such/place:${directory}` }
    expect(await findOllama({ ...nowhere, env })).toBe(path)
    const host = `127.0.0.1:${await freePort()}`
    const answers = () =>
      fetch(`http://${host}/`).then(
        (response) => response.ok,
        () => false,
      )
    await startOllama({ ...nowhere, env, host, answers })
    expect(await (await fetch(`http://${host}/`)).text()).toBe('serve')
    await fetch(`http://${host}/end`).catch(() => undefined)
  })

  test('that ends at once, or is not there, is said', async () => {
    const broken = join(directory, 'broken')
    mkdirSync(broken)
    writeFileSync(join(broken, 'ollama'), '#!/bin/sh\nexit 3\n')
    chmodSync(join(broken, 'ollama'), 0o755)
    const answers = () => Promise.resolve(false)
    await expect(startOllama({ ...nowhere, env: { PATH: broken }, host: '127.0.0.1:1', answers })).rejects.toThrow('it ended with 3')
  })
})
