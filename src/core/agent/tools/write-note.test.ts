import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { settingsSchema } from '../../../contract/settings.ts'
import { noteWritten } from '../../../contract/call-text.ts'
import { callLine, siteOf, type ToolContext } from '../tool.ts'
import { noteFileName } from './write-note-name.ts'
import { createWriteNote } from './write-note.ts'

/** Some are made with invisible joiners. */
const emoji = new RegExp(String.raw`\p{RGI_Emoji}`, 'gv')

let base: string
let folder: string
let noteFolder: string | null
const tool = createWriteNote({ settings: () => settingsSchema.parse({ noteFolder }) })

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'siku-notes-')))
  folder = join(base, 'notes')
  mkdirSync(folder)
  noteFolder = folder
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

async function write(title: string, text = 'Text.'): Promise<unknown> {
  return tool.run({ title, text }, { signal: new AbortController().signal } as ToolContext)
}

it('writes a new Markdown file and says which', async () => {
  expect(await write('Shopping: milk', '- milk\n- bread\n')).toBe('Written: Shopping milk.md (33 bytes).')
  expect(readFileSync(join(folder, 'Shopping milk.md'), 'utf8')).toBe('# Shopping: milk\n\n- milk\n- bread\n')
  await write('Own heading', '# Mine\n\nText')
  expect(readFileSync(join(folder, 'Own heading.md'), 'utf8')).toBe('# Mine\n\nText\n')
})

it('says in its line and its result where the note lies, so that it can be shown and opened', async () => {
  const asked = { title: 'Plan (a) into b', text: 'Text.' }
  writeFileSync(join(folder, 'Plan (a) into b.md'), '')
  const result = String(await write(asked.title))
  for (const language of ['en', 'zh'] as const) {
    const call = { tool: 'write_note', line: callLine(tool, asked, language), status: 'ok' as const, result }
    expect(noteWritten(call)).toBe(join(folder, 'Plan (a) into b 2.md'))
    expect(noteWritten({ ...call, line: `${call.line.slice(0, 30)}…` })).toBe('Plan (a) into b 2.md')
    expect(noteWritten({ ...call, status: 'error' })).toBeNull()
  }
})

it('never touches what is there, also when many write at once', async () => {
  writeFileSync(join(folder, 'Plan.md'), 'the user’s own')
  await Promise.all(Array.from({ length: 8 }, () => write('Plan')))
  expect(readFileSync(join(folder, 'Plan.md'), 'utf8')).toBe('the user’s own')
  expect(readdirSync(folder).sort()).toEqual(['Plan.md', ...Array.from({ length: 8 }, (_, index) => `Plan ${index + 2}.md`)].sort())
})

describe('it writes nowhere else', () => {
  it.each([
    '../out',
    '/etc/passwd',
    '..',
    '.',
    '~/x',
    '..\\..\\out',
    'a/../../b',
    'C:\\x',
    '\u202E/..',
    '／etc／x',
    '.bashrc',
    '\0',
    'con',
    'x\ny',
  ])('for the title %j', async (title) => {
    await write(title)
    expect(readdirSync(base)).toEqual(['notes'])
    const [name] = readdirSync(folder)
    expect(name).toMatch(/^[^./\\~][^/\\]*\.md$/)
  })

  it('not through a link that stands in the folder', async () => {
    writeFileSync(join(base, 'target'), 'kept')
    symlinkSync(join(base, 'target'), join(folder, 'Trap.md'))
    symlinkSync(join(base, 'not there yet'), join(folder, 'Trap 2.md'))
    await write('Trap')
    expect(readFileSync(join(base, 'target'), 'utf8')).toBe('kept')
    expect(readdirSync(base).sort()).toEqual(['notes', 'target'])
    expect(readdirSync(folder).sort()).toEqual(['Trap 2.md', 'Trap 3.md', 'Trap.md'])
  })

  it('not when the folder is a link', async () => {
    const link = join(base, 'link')
    symlinkSync(folder, link)
    noteFolder = link
    await expect(write('A')).rejects.toMatchObject({ code: 'refused' })
    expect(readdirSync(folder)).toEqual([])
  })

  it('not when the folder is gone or a file', async () => {
    noteFolder = join(base, 'gone')
    await expect(write('A')).rejects.toMatchObject({ code: 'not-found' })
    writeFileSync(join(base, 'file'), '')
    noteFolder = join(base, 'file')
    await expect(write('A')).rejects.toMatchObject({ code: 'refused' })
    expect(readdirSync(base).sort()).toEqual(['file', 'notes'])
  })
})

it('cannot be used before a folder was chosen, and says where', async () => {
  expect(tool.unavailable?.()).toBeNull()
  noteFolder = null
  expect(tool.unavailable?.()).toMatchObject({ code: 'no-note-folder' })
  expect(await write('A')).toMatchObject({ failed: true })
  expect(siteOf(tool, {})).toBe('')
})

it('refuses a note that is too long', async () => {
  await expect(write('A', '汉'.repeat(400_000))).rejects.toMatchObject({ code: 'bad-input' })
  expect(readdirSync(folder)).toEqual([])
})

it('shows the file and the folder, and counts for the folder as it is', () => {
  const args = { title: 'a/b', text: 'xyz' }
  expect(callLine(tool, args, 'en')).toBe(`Write a new note “a b.md” (3 characters) into ${folder}`)
  expect(siteOf(tool, args)).toBe(folder)
})

it('shows the name that the file gets, and writes under no other', async () => {
  writeFileSync(join(folder, 'Rent.md'), 'mine')
  symlinkSync(join(base, 'not there yet'), join(folder, 'Rent 2.md'))
  const args = { title: 'Rent', text: 'x' }
  expect(callLine(tool, args, 'en')).toContain('new note “Rent 3.md”')
  expect(callLine(tool, args, 'zh')).toContain('“Rent 3.md”')
  const context = { signal: new AbortController().signal } as ToolContext
  writeFileSync(join(folder, 'Rent 3.md'), 'came in between')
  await expect(tool.run(args, context)).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('Rent 3.md') })
  expect(readdirSync(folder)).toHaveLength(3)
  expect(callLine(tool, args, 'en')).toContain('“Rent 4.md”')
  expect(await tool.run(args, context)).toContain('Written: Rent 4.md')
})

describe('file names', () => {
  it.each([
    ['Plan', 'Plan.md'],
    ['会议纪要：七月', '会议纪要：七月.md'],
    ['COM1', '_COM1.md'],
    ['nul.txt', '_nul.txt.md'],
    ['...', 'Note.md'],
    ['👨‍👩‍👧 at 🏴󠁧󠁢󠁷󠁬󠁳󠁿', '👨‍👩‍👧 at 🏴󠁧󠁢󠁷󠁬󠁳󠁿.md'],
    ['a\u200Db', 'a b.md'],
    ['a<b>:"c"|d?*', 'a b c d.md'],
    ['ends with dots...', 'ends with dots.md'],
    ['汉'.repeat(100), `${'汉'.repeat(40)}.md`],
    [`${'a'.repeat(119)}é`, `${'a'.repeat(119)}.md`],
  ])('%s', (title, name) => {
    expect(noteFileName(title, 1)).toBe(name)
  })

  it('are safe for any title on any system', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), fc.integer({ min: 1, max: 1000 }), (title, number) => {
        const name = noteFileName(title, number)
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(130)
        expect(name.replace(emoji, 'x')).toMatch(/^[^.\s~][^/\\:*?"<>|\p{Cc}\p{Cf}]*(?<![\s.])\.md$/u)
        expect(name).not.toMatch(/^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i)
      }),
    )
  })
})
