import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { platform, tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { testDeps } from '../../test/fakes/core.ts'
import { openShared } from '../core/host/shared-core.ts'
import { startServer } from './server.ts'

const names = [
  '“引号”与‘单引号’.txt',
  '全角：冒号，和？问号.txt',
  'emoji 📚👩‍👩‍👧.txt',
  'café NFC.txt'.normalize('NFC'),
  // Other bytes, and another file, on file systems that keep names as they are given.
  ...(platform() === 'darwin' ? [] : ['café NFC.txt'.normalize('NFD')]),
  `${'名'.repeat(78)}xx.txt`,
  '  spaces   inside .txt',
  '#hash # and #.txt',
  '100%25 of %2e%2e %.txt',
  "it's 'quoted'.txt",
  '&amp;+=;,@~[]{}.txt',
  ...(platform() === 'win32' ? [] : ['"double" <angle> | back\\slash?.txt', 'two\nlines\ttab.txt']),
]

test('the citation of a file opens the bytes of that file, whatever it is called', { timeout: 120_000 }, async () => {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'siku-names-')))
  const papers = join(directory, '文件 #1 100%')
  mkdirSync(papers, { recursive: true })
  mkdirSync(join(directory, 'renderer'))
  writeFileSync(join(directory, 'renderer', 'index.html'), '<!doctype html>')
  const contents = new Map(names.map((name, index) => [join(papers, name), `The unmistakable codeword of this one is quetzal${index}x.\n`]))
  for (const [path, text] of contents) writeFileSync(path, text)
  const shared = await openShared(testDeps(join(directory, 'home')))
  const server = await startServer({
    shared,
    dataDir: join(directory, 'home'),
    rendererDir: pathToFileURL(`${join(directory, 'renderer')}/`),
    onNewAddress: () => undefined,
  })
  try {
    const entered = await fetch(server.address)
    const cookie = (entered.headers.get('set-cookie') ?? '').split(';')[0]!
    await shared.client.folders.add({ paths: [papers] })
    for await (const { counts } of await shared.client.library.progress()) if (counts.ready === names.length) break
    const opened = new Map<string, string>()
    for (const [index] of names.entries()) {
      const { hits } = await shared.client.search.query({ query: `quetzal${index}x`, k: 1, mode: 'keyword' })
      const reply = await fetch(`http://127.0.0.1:${server.port}/document/${hits[0]!.documentId}`, { headers: { cookie } })
      expect(reply.status).toBe(200)
      opened.set(hits[0]!.path, await reply.text())
    }
    expect(opened).toEqual(contents)
  } finally {
    await server.close()
    await shared.close()
    rmSync(directory, { recursive: true, force: true, maxRetries: 5 })
  }
})
