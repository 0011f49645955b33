import { failure } from '../../contract/errors.ts'
import { formProblem, isNewerFile } from '../../contract/file-form.ts'
import { memoryFileSchema, type Memory, type MemoryFile } from '../../contract/memory.ts'
import { cleanMemory } from './memory-text.ts'

const mostMemories = 100_000

export function memoryFile(memories: Memory[], at: number): { fileName: string; json: string } {
  const file: MemoryFile = { format: 'siku-memories', version: 1, memories }
  return { fileName: `siku-memories-${new Date(at).toISOString().slice(0, 10)}.json`, json: `${JSON.stringify(file, null, 2)}\n` }
}

/** The memories of a file, cleaned; throws `bad-input` that says where it is wrong, for the first wrong one. */
export function readMemoryFile(json: string): Memory[] {
  let data: unknown
  try {
    data = JSON.parse(json.replace(/^\uFEFF/, ''))
  } catch {
    throw failure('memory-not-json')
  }
  if (isNewerFile(data, 'siku-memories', 1)) throw failure('file-newer')
  const parsed = memoryFileSchema.safeParse(data)
  if (!parsed.success) throw failure('memory-form', { detail: formProblem(parsed.error) })
  const { memories } = parsed.data
  if (memories.length > mostMemories) throw failure('memory-many', { count: memories.length, most: mostMemories })
  return memories.map((memory, index) => {
    const times = [memory.createdAt, memory.updatedAt, memory.usedAt ?? 0, memory.uses]
    if (times.some((time) => !Number.isSafeInteger(time) || time < 0)) throw failure('memory-time', { number: index + 1 })
    return { ...memory, text: cleanMemory(memory.text), source: { from: 'import', chatId: null, turnId: null } }
  })
}
