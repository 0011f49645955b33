import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { fileReader } from '../../../../test/fixtures/read-file.ts'

const files = fileReader()
afterAll(() => files.close())
const manual = join(import.meta.dirname, '..', '..', '..', '..', 'resources', 'sample-library', 'Crema One manual.pdf')

test('a word set with a ligature stays one word: its letters stand where one sign stands', async () => {
  const { text } = await files.read(readFileSync(manual), 'manual.pdf')
  for (const word of ['whichever comes first', 'portafilter', 'coffee', 'finely', 'fifteen']) expect(text).toContain(word)
  expect(text.match(/\w*(?:fi|fl|ff|ffi) \w+/g)).toBeNull()
})
