import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { modelFolder } from './model-files.ts'

const resourcesDir = fileURLToPath(new URL('../../../resources', import.meta.url))
const built = fileURLToPath(new URL('../../../out/node/embedding-process.js', import.meta.url))

function loseHost(afterMs: number): Promise<NodeJS.Signals | null> {
  return new Promise((resolve) => {
    const child = fork(built, [], { serialization: 'advanced', execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
    child.once('message', () => {
      child.send({ type: 'call', id: 1, name: 'open', input: { folder: modelFolder(resourcesDir), resourcesDir } })
      setTimeout(() => child.disconnect(), afterMs)
    })
    child.on('exit', (_code, signal) => resolve(signal))
  })
}

test('an embedding process whose host goes away while it loads ends without a crash, which would be another signal', async () => {
  for (const afterMs of [0, 50, 150, 300, 500]) expect(await loseHost(afterMs)).toBe('SIGKILL')
}, 120_000)
