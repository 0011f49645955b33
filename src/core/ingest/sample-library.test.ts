import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { resourcesDir } from '../../../test/fixtures/open-test-ingest.ts'
import type { Section } from '../../contract/library.ts'
import { languageOf } from '../search/search.ts'
import { createReadingApi } from './reading-api.ts'

const questionSchema = z.object({
  id: z.enum(['english', 'chinese', 'across']),
  language: z.enum(['en', 'zh']),
  question: z.string(),
  answer: z.object({
    file: z.string(),
    page: z.number().int().nullable(),
    language: z.enum(['en', 'zh']),
    words: z.array(z.string()).min(1),
  }),
})
const fileSchema = z.object({
  version: z.literal(1),
  questions: z.array(questionSchema).length(3),
  suggestions: z.object({ en: z.array(z.string()).min(3), zh: z.array(z.string()).min(3) }),
})

const directory = join(resourcesDir, 'sample-library')
const files = (readdirSync(directory, { recursive: true }) as string[]).filter((name) => statSync(join(directory, name)).isFile())

async function sectionsOf(name: string): Promise<Section[]> {
  const sections: Section[] = []
  const emit = (part: Section[]): Promise<void> => Promise.resolve(void sections.push(...part))
  const { status } = await createReadingApi().extract({ path: join(directory, name) }, { signal: new AbortController().signal, emit })
  expect(status, name).toBe('ready')
  return sections
}

test('a dozen documents and more, small, all of them readable, in both languages and all kinds', async () => {
  expect(files.length).toBeGreaterThanOrEqual(12)
  const languages = new Map<string, number>()
  for (const name of files) {
    expect(statSync(join(directory, name)).size, name).toBeLessThan(300_000)
    const language = languageOf((await sectionsOf(name)).map(({ text }) => text).join('\n'))
    languages.set(language, (languages.get(language) ?? 0) + 1)
  }
  expect(Math.min(languages.get('en') ?? 0, languages.get('zh') ?? 0)).toBeGreaterThanOrEqual(4)
  expect(new Set(files.map((name) => name.split('.').pop()))).toEqual(new Set(['pdf', 'md', 'txt', 'html', 'py', 'ts']))
})

test('each demo question is answered where it says, in the language it says', async () => {
  const { questions } = fileSchema.parse(JSON.parse(readFileSync(join(resourcesDir, 'sample-library.json'), 'utf8')))
  for (const { id, language, question, answer } of questions) {
    const sections = (await sectionsOf(answer.file)).filter(
      ({ place }) => answer.page === null || (place.kind === 'page' && place.page === answer.page),
    )
    const text = sections
      .map((section) => section.text)
      .join('\n')
      .replace(/\s+/g, '')
    for (const word of answer.words) expect(text, `${id}: ${word}`).toContain(word.replace(/\s+/g, ''))
    expect([languageOf(question), languageOf(text)], id).toEqual([language, answer.language])
    expect(language === answer.language).toBe(id !== 'across')
  }
})

test('what is asked across the languages stands in no document of the language of the question', async () => {
  for (const name of files) {
    const text = (await sectionsOf(name)).map((section) => section.text).join('\n')
    if (languageOf(text) === 'en') expect(text, name).not.toMatch(/hotel|shanghai/i)
  }
})
