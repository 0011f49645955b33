import { lstatSync, realpathSync } from 'node:fs'
import { lstat, open, realpath, stat, unlink, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { noteTexts } from '../../../contract/call-text.ts'
import { counted } from '../../../contract/counted.ts'
import { failure, SikuError, toSikuError } from '../../../contract/errors.ts'
import { defineTool, type Tool, type Unavailable } from '../tool.ts'
import { noteFileName } from './write-note-name.ts'
import type { ToolParts } from './tools.ts'

const noFolder: Unavailable = {
  code: 'no-note-folder',
  text: `${noteTexts.noFolder} Choose one in the settings, under the agent’s tools, or with: siku agent --notes FOLDER`,
}
const mostBytes = 1_000_000
const mostSameNames = 1000

const schema = z.object({
  title: z.string().min(1).max(300).describe('the note’s title; its file is named after it'),
  text: z.string().min(1).max(mostBytes).describe('the whole note, in Markdown'),
})

export function createWriteNote({ settings }: Pick<ToolParts, 'settings'>): Tool {
  const unavailable = (): Unavailable | null => (settings().noteFolder === null ? noFolder : null)
  /** By the arguments of a call: the file that its line named, which is the one that was agreed to. */
  const shownNames = new WeakMap<object, string>()
  return defineTool({
    name: 'write_note',
    description:
      'Writes a new Markdown note into the folder that the user chose for notes. It never changes or replaces a file. Use it only when the user asks to write or save something.',
    schema,
    suits:
      /\b(?:write|save|store|note(?: down)?|draft|create|export|put .{1,40} in(?:to)? a)\b|写(?:一|下|篇|进|入|成|个)|保存|存(?:为|成|下|到|进)|笔记|记(?:下|录)|草稿|新建|导出/iu,
    access: 'write',
    aliases: ['save_note', 'create_note'],
    unavailable,
    /** The folder as it really is: an approval for one does not count for what a link points at later. */
    site: () => realFolder(settings().noteFolder),
    line: (args, language) => {
      const { title, text } = args
      const folder = settings().noteFolder ?? ''
      const name = firstFreeName(folder, title)
      shownNames.set(args, name)
      return language === 'zh'
        ? `写一篇新笔记“${name}”（${text.length} 字符）到 ${folder}`
        : `Write a new note “${name}” (${counted(text.length, 'character')}) into ${folder}`
    },
    async run(args, { signal }) {
      const { title, text } = args
      const folder = settings().noteFolder
      if (folder === null) return { failed: true, text: noFolder.text }
      const heading = /^\s*#\s/.test(text) ? '' : `# ${title.replace(/\s+/g, ' ').trim()}\n\n`
      const bytes = Buffer.from(`${heading}${text.trimEnd()}\n`, 'utf8')
      if (bytes.length > mostBytes) throw new SikuError('bad-input', `The note is too long: ${bytes.length} bytes, ${mostBytes} at most.`)
      const name = await writeNew(await folderToWriteIn(folder), title, bytes, { signal, name: shownNames.get(args) })
      return noteTexts.written(name, bytes.length)
    },
  })
}

function realFolder(folder: string | null): string {
  if (folder === null) return ''
  try {
    return realpathSync(folder)
  } catch {
    return folder
  }
}

/** Its real path. A link is refused: who can change a link chooses where the next note goes. */
async function folderToWriteIn(folder: string): Promise<string> {
  try {
    if ((await lstat(folder)).isSymbolicLink()) {
      throw failure('notes-link')
    }
    const real = await realpath(folder)
    if (!(await stat(real)).isDirectory()) throw failure('notes-no-folder')
    return real
  } catch (error) {
    const problem = toSikuError(error)
    throw problem.code === 'not-found' ? failure('notes-gone') : problem
  }
}

function firstFreeName(folder: string, title: string): string {
  for (let number = 1; number <= mostSameNames; number++) {
    const name = noteFileName(title, number)
    // A link to nothing is something too.
    if (lstatSync(join(folder, name), { throwIfNoEntry: false }) === undefined) return name
  }
  return noteFileName(title, 1)
}

/** Under the name that was shown; where none was, under the first that is free. */
async function writeNew(
  folder: string,
  title: string,
  bytes: Buffer,
  { signal, name: shown }: { signal: AbortSignal; name: string | undefined },
): Promise<string> {
  for (let number = 1; number <= mostSameNames; number++) {
    signal.throwIfAborted()
    const name = shown ?? noteFileName(title, number)
    const path = join(folder, name)
    let file: FileHandle
    try {
      // Fails when anything has this name, a link included: nothing is ever opened that was there.
      file = await open(path, 'wx', 0o644)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw toSikuError(error)
      if (shown === undefined) continue
      throw new SikuError('conflict', `“${shown}” has come to be there since the call was shown, and nothing was written.`, {
        hint: 'Make the call again: it gets another name.',
      })
    }
    await fill(file, path, folder, name, bytes)
    return name
  }
  throw new SikuError('conflict', 'There are too many notes of this name.', { hint: 'Give it another title.' })
}

async function fill(file: FileHandle, path: string, folder: string, name: string, bytes: Buffer): Promise<void> {
  try {
    // The folder may have been put elsewhere between the look and the opening.
    if ((await realpath(path)) !== join(folder, name))
      throw new SikuError('refused', 'The folder for notes was moved while the note was written.')
    await file.writeFile(bytes)
    await file.sync()
  } catch (error) {
    const made = await file.stat().catch(() => null)
    const there = await lstat(path).catch(() => null)
    // Half a note is no note; but only this very file is taken away.
    if (made && there && made.ino === there.ino && made.dev === there.dev) await unlink(path).catch(() => undefined)
    throw toSikuError(error)
  } finally {
    await file.close()
  }
}
