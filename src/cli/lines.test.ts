import { expect, test } from 'vitest'
import { linesOf } from './lines.ts'

async function* cut(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text)
  for (let at = 0; at < bytes.length; at += size) {
    await Promise.resolve()
    yield bytes.subarray(at, at + size)
  }
}

test.each([1, 2, 5, 100])('lines lose their ends and the mark before the first, cut into pieces of %i bytes', async (size) => {
  const read = async (text: string): Promise<string[]> => {
    const lines: string[] = []
    for await (const line of linesOf(cut(text, size))) lines.push(line)
    return lines
  }
  expect(await read('\uFEFF押金\r\n\r\nnotice\u2028period\n  \nlast')).toEqual(['押金', '', 'notice\u2028period', '  ', 'last'])
  expect(await read('one\n')).toEqual(['one'])
  expect(await read('\uFEFF')).toEqual([])
})
