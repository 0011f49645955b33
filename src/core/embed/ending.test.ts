import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { modelFolder } from './model-files.ts'

const resourcesDir = fileURLToPath(new URL('../../../resources', import.meta.url))
const built = fileURLToPath(new URL('../../../out/node/embedding-process.js', import.meta.url))

function loseHost(afterMs: number): Promise<{ signal: NodeJS.Signals | null; errors: string }> {
  return new Promise((resolve) => {
    const child = fork(built, [], { serialization: 'advanced', execArgv: [], stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
    let errors = ''
    child.stderr!.on('data', (piece: Buffer) => (errors += piece.toString()))
    child.once('message', () => {
      child.send({ type: 'call', id: 1, name: 'open', input: { folder: modelFolder(resourcesDir), resourcesDir } })
      setTimeout(() => child.disconnect(), afterMs)
    })
    child.on('close', (_code, signal) => resolve({ signal, errors }))
  })
}

test('an embedding process whose host goes away while it loads ends without a crash', async () => {
  for (const afterMs of [0, 50, 150, 300, 500]) expect(await loseHost(afterMs)).toEqual({ signal: 'SIGKILL', errors: '' })
}, 30_000)
