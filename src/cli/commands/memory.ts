import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { SikuError } from '../../contract/errors.ts'
import { memoryFileSchema, type Memory } from '../../contract/memory.ts'
import type { SharedCore } from '../../server/server.ts'
import type { Run } from '../cli.ts'
import { filled } from '../options.ts'
import { count, jsonResult, jsonText, plain, result, say, table } from '../output.ts'
import { readNamed } from '../reachable.ts'
import type { Words } from '../words.ts'

const pageSize = 1000

export function addMemory(siku: Command, run: Run): void {
  const memory = siku
    .command('memory')
    .description('what is remembered between chats: list, add, forget, export, import')
    .addHelpText(
      'after',
      `
Examples:
  $ siku memory list
  $ siku memory list "where do I live"
  $ siku memory add "I live in Nanjing"
  $ siku memory forget Nanjing
  $ siku memory export memories.json`,
    )
  const list = (text: string, command: Command): Promise<void> =>
    run(command, async ({ open, globals, words, signal }) => {
      const { client } = await open()
      const wanted = text.trim()
      const memories = wanted === '' ? await listed(client, signal) : (await client.memory.find({ text: wanted }, { signal })).memories
      if (globals.json) return jsonResult(memories)
      if (memories.length === 0) {
        const isEmpty = wanted === '' || (await client.memory.list({ limit: 1 }, { signal })).total === 0
        return say(isEmpty ? words.memory.none : words.memory.noSuch(wanted))
      }
      result(table(memories.map((each) => [each.id.slice(0, 8), words.memory.kind[each.kind], plain(each.text)])))
    })
  memory.action((_options: unknown, command: Command) => list('', command))
  memory
    .command('list')
    .description('everything that is remembered (as siku memory alone), or what holds a text or fits it by its meaning')
    .argument('[text...]')
    .action((textWords: string[], _options: unknown, command: Command) => list(textWords.join(' '), command))
  memory
    .command('add')
    .description('remembers a small fact')
    .argument('<text...>')
    .option('--preference', 'it is a preference, not a fact')
    .action((textWords: string[], options: { preference?: true }, command: Command) => {
      if (textWords.join(' ').trim() === '') command.error('error: the text must not be empty', { exitCode: 2 })
      return run(command, async ({ open, globals, words, signal }) => {
        const { client } = await open()
        const kind = options.preference === true ? 'preference' : 'fact'
        const added = await client.memory.add({ text: textWords.join(' '), kind }, { signal })
        if (globals.json) jsonResult(added)
        else result(`${words.memory.added}: ${plain(added.text)}`)
      })
    })
  memory
    .command('forget')
    .description('forgets the memory with this id, or the only one that holds this text')
    .argument('<id-or-text...>')
    .action((wantedWords: string[], _options: unknown, command: Command) =>
      run(command, async ({ open, globals, words, signal }) => {
        const { client } = await open()
        const found = await memoryOf(client, filled(wantedWords.join(' ')), words, signal)
        await client.memory.remove({ id: found.id }, { signal })
        if (globals.json) jsonResult(found)
        else result(`${words.memory.forgotten}: ${plain(found.text)}`)
      }),
    )
  memory
    .command('export')
    .description('all memories as JSON: into a new file, or to stdout')
    .argument('[file]', 'a path', filled)
    .action((file: string | undefined, _options: unknown, command: Command) =>
      run(command, async ({ open, globals, words, signal }) => {
        const { client } = await open()
        const { json } = await client.memory.exportJson({}, { signal })
        if (file === undefined) return jsonText(json.trimEnd())
        const path = resolve(file)
        await writeNew(path, json)
        const exported = memoryFileSchema.parse(JSON.parse(json)).memories.length
        if (globals.json) jsonResult({ path, memories: exported })
        else say(words.memory.exported(count(exported), path))
      }),
    )
  memory
    .command('import')
    .description('adds the memories of an exported file; what is there already is not doubled')
    .argument('<file>', 'a path', filled)
    .action((file: string, _options: unknown, command: Command) =>
      run(command, async ({ open, globals, words, signal }) => {
        const json = (await readNamed(file, words)).data.toString('utf8')
        const { client } = await open()
        const { added } = await client.memory.importJson({ json }, { signal })
        if (globals.json) jsonResult({ added })
        else result(words.memory.imported(count(added)))
      }),
    )
}

async function listed(client: SharedCore['client'], signal: AbortSignal): Promise<Memory[]> {
  const memories: Memory[] = []
  for (;;) {
    const page = await client.memory.list({ offset: memories.length, limit: pageSize }, { signal })
    memories.push(...page.memories)
    if (page.memories.length === 0 || memories.length >= page.total) return memories
  }
}

/** Only one that is meant beyond doubt is forgotten. */
async function memoryOf(client: SharedCore['client'], wanted: string, words: Words, signal: AbortSignal): Promise<Memory> {
  const all = await listed(client, signal)
  const byId = all.filter(({ id }) => id === wanted || (wanted.length >= 8 && id.startsWith(wanted)))
  const found = byId.length > 0 ? byId : all.filter(({ text }) => text.toLowerCase().includes(wanted.toLowerCase()))
  const [first] = found
  if (first === undefined) throw new SikuError('not-found', words.memory.noSuch(wanted))
  if (found.length > 1) {
    const some = found.slice(0, 5).map(({ id, text }) => `${id.slice(0, 8)} ${plain(text)}`)
    throw new SikuError('bad-input', words.memory.several(wanted), { hint: some.join(' · ') })
  }
  return first
}

/** A file that is there is the user's own: it is never overwritten. */
async function writeNew(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text, { flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw new SikuError('conflict', `${path} is there already.`)
    throw error
  }
}
