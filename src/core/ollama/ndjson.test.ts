import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readLines } from './ndjson.ts'

async function* pieces(bytes: Uint8Array, cuts: number[]): AsyncGenerator<Uint8Array> {
  // One buffer for all pieces, as a careless source has it.
  let from = 0
  for (const cut of [...cuts, bytes.length]) {
    yield bytes.subarray(from, cut)
    from = cut
  }
}

async function read(text: string, cuts: number[] = []): Promise<unknown[]> {
  const lines: unknown[] = []
  for await (const line of readLines(pieces(new TextEncoder().encode(text), cuts)))
    lines.push(line.kind === 'object' ? line.value : 'broken')
  return lines
}

test('lines are the same wherever the pieces are cut, also within a character', async () => {
  const stream = '{"a":"书🀄é"}\r\n\n  \n{"b":"\\n"}\nnot json\n[1]\n{"c":3}'
  const expected = [{ a: '书🀄é' }, { b: '\n' }, 'broken', 'broken', { c: 3 }]
  const length = new TextEncoder().encode(stream).length
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 0, max: length }), { maxLength: 40 }), async (cuts) => {
      expect(
        await read(
          stream,
          cuts.sort((a, b) => a - b),
        ),
      ).toEqual(expected)
    }),
  )
  expect(
    await read(
      stream,
      Array.from({ length }, (_value, index) => index),
    ),
  ).toEqual(expected)
})

test('a last line without its line break counts, half a line is broken, nothing is nothing', async () => {
  expect(await read('{"a":1}')).toEqual([{ a: 1 }])
  expect(await read('{"a":1}\n{"b":')).toEqual([{ a: 1 }, 'broken'])
  expect(await read('')).toEqual([])
})
