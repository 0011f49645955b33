import { create } from 'zustand'
import type { ErrorValue } from '../../contract/errors.ts'
import type { Memory } from '../../contract/memory.ts'
import { client } from '../client.ts'
import { problemOf } from '../problem.ts'
import { Requests } from '../parts/refresher.ts'
import { visibleText } from '../parts/visible-text.ts'
import { saveText } from '../parts/save-text.ts'
import { i18next } from '../words/words.ts'
import { removeWithUndo, reportProblem, showToast } from './toasts.ts'

interface State {
  memories: Memory[] | null
  /** How many the search finds; the list may hold fewer. */
  total: number
  /** How many there are, whatever is searched for. */
  all: number
  text: string
  problem: ErrorValue | null
}
export const useMemories = create<State>(() => ({ memories: null, total: 0, all: 0, text: '', problem: null }))

const page = 200

const requests = new Requests()

export async function loadMemories(): Promise<void> {
  const { text, memories } = useMemories.getState()
  const isNewest = requests.begin()
  const query = text.trim()
  const limit = Math.min(1000, Math.max(page, memories?.length ?? 0))
  try {
    const [found, all] = await Promise.all([
      client.memory.list({ ...(query === '' ? {} : { text: query }), limit }),
      query === '' ? null : client.memory.list({ limit: 1 }),
    ])
    if (useMemories.getState().text !== text || !isNewest()) return
    useMemories.setState({ memories: found.memories, total: found.total, all: all?.total ?? found.total, problem: null })
  } catch (error) {
    if (isNewest()) useMemories.setState({ problem: problemOf(error) })
  }
}

export async function loadMoreMemories(): Promise<void> {
  const { memories, text } = useMemories.getState()
  const query = text.trim()
  const isNewest = requests.begin()
  try {
    const more = await client.memory.list({ ...(query === '' ? {} : { text: query }), offset: memories?.length ?? 0, limit: page })
    if (useMemories.getState().text === text && isNewest())
      useMemories.setState({ memories: [...(memories ?? []), ...more.memories], total: more.total })
  } catch (error) {
    reportProblem(error)
  }
}

let timer: ReturnType<typeof setTimeout> | undefined

export function searchMemories(text: string): void {
  useMemories.setState({ text })
  clearTimeout(timer)
  timer = setTimeout(() => void loadMemories(), 120)
}

async function change(run: () => Promise<unknown>, words = ''): Promise<boolean> {
  try {
    await run()
    return true
  } catch (error) {
    reportProblem(error, words)
    return false
  } finally {
    await loadMemories()
  }
}

export function addMemory(text: string, kind: Memory['kind']): Promise<boolean> {
  return change(() => client.memory.add({ text, kind }))
}

export function updateMemory(id: string, text: string): Promise<boolean> {
  useMemories.setState(({ memories }) => ({ memories: memories?.map((each) => (each.id === id ? { ...each, text } : each)) ?? null }))
  return change(() => client.memory.update({ id, text }))
}

export async function removeMemory({ id }: Memory): Promise<void> {
  useMemories.setState(({ memories }) => ({ memories: memories?.filter((each) => each.id !== id) ?? null }))
  try {
    await removeWithUndo(
      () => client.memory.remove({ id }),
      i18next.t('memory.removed'),
      () => void change(() => client.memory.restore({ id })),
    )
  } catch (error) {
    reportProblem(error)
  }
  await loadMemories()
}

export async function clearMemories(): Promise<void> {
  await change(async () => {
    const { removed } = await client.memory.clear({})
    showToast({ text: i18next.t('memory.cleared', { count: removed }) })
  })
}

export async function exportMemories(): Promise<void> {
  try {
    const { fileName, json } = await client.memory.exportJson({})
    saveText(fileName, json, 'application/json')
  } catch (error) {
    reportProblem(error)
  }
}

export async function importMemories(file: File): Promise<void> {
  await change(
    async () => {
      const { added } = await client.memory.importJson({ json: await file.text() })
      showToast({ text: i18next.t('memory.imported', { count: added }) })
    },
    i18next.t('memory.notMemories', { name: visibleText(file.name) }),
  )
}
