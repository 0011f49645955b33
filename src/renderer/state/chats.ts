import { create } from 'zustand'
import type { ChatSummary } from '../../contract/answer.ts'
import type { ErrorValue } from '../../contract/errors.ts'
import { client } from '../client.ts'
import { Requests } from '../parts/refresher.ts'
import { saveText } from '../parts/save-text.ts'
import { visibleText } from '../parts/visible-text.ts'
import { problemOf } from '../problem.ts'
import { i18next } from '../words/words.ts'
import { useDraft } from './draft.ts'
import { go, useRoute } from './route.ts'
import { removeWithUndo, reportProblem, showToast } from './toasts.ts'

interface State {
  chats: ChatSummary[] | null
  text: string
  problem: ErrorValue | null
}
export const useChats = create<State>(() => ({ chats: null, text: '', problem: null }))

const requests = new Requests()

/** False when the list could not be read. */
export async function loadChats(): Promise<boolean> {
  const { text } = useChats.getState()
  const isNewest = requests.begin()
  try {
    const chats = await client.chats.list(text.trim() === '' ? {} : { text: text.trim() })
    if (useChats.getState().text === text && isNewest()) useChats.setState({ chats, problem: null })
    return true
  } catch (error) {
    if (isNewest()) useChats.setState({ problem: problemOf(error) })
    return false
  }
}

let timer: ReturnType<typeof setTimeout> | undefined

export function searchChats(text: string): void {
  useChats.setState({ text })
  clearTimeout(timer)
  timer = setTimeout(() => void loadChats(), 120)
}

export async function renameChat(chatId: string, title: string): Promise<void> {
  const before = useChats.getState().chats
  useChats.setState({ chats: before?.map((chat) => (chat.id === chatId ? { ...chat, title } : chat)) ?? null })
  try {
    await client.chats.rename({ chatId, title })
  } catch (error) {
    useChats.setState({ chats: before })
    reportProblem(error)
  }
}

export async function pinChat(chatId: string, pinned: boolean): Promise<void> {
  useChats.setState(({ chats }) => ({ chats: chats?.map((chat) => (chat.id === chatId ? { ...chat, pinned } : chat)) ?? null }))
  try {
    await client.chats.pin({ chatId, pinned })
  } catch (error) {
    reportProblem(error)
  }
  await loadChats()
}

/** `wasOpen`: whoever has not gone on meanwhile is led back to it. */
async function restoreChat(chatId: string, wasOpen: boolean): Promise<void> {
  try {
    await client.chats.restore({ chatId })
    await loadChats()
    const { screen, chatId: open } = useRoute.getState()
    if (wasOpen && screen === 'ask' && open === null && useDraft.getState().text === '') go('ask', chatId)
  } catch (error) {
    reportProblem(error)
  }
}

export async function removeChat(chat: ChatSummary): Promise<void> {
  useChats.setState(({ chats }) => ({ chats: chats?.filter((each) => each.id !== chat.id) ?? null }))
  const wasOpen = useRoute.getState().chatId === chat.id
  if (wasOpen) go('ask')
  try {
    await removeWithUndo(
      () => client.chats.remove({ chatId: chat.id }),
      i18next.t('ask.chatRemoved', { title: chat.title }),
      () => void restoreChat(chat.id, wasOpen),
    )
  } catch (error) {
    reportProblem(error)
    await loadChats()
  }
}

/** Nothing is lost: messages, calls and attachments are in it too. */
export async function exportWholeChat(chatId: string): Promise<void> {
  try {
    const { fileName, json } = await client.chats.exportJson({ chatId })
    saveText(fileName, json, 'application/json')
  } catch (error) {
    reportProblem(error)
  }
}

export async function importChat(file: File): Promise<void> {
  try {
    const { chatId } = await client.chats.importJson({ json: await file.text() })
    await loadChats()
    go('ask', chatId)
    showToast({ text: i18next.t('ask.imported') })
  } catch (error) {
    reportProblem(error, i18next.t('ask.notAChat', { name: visibleText(file.name) }))
  }
}

export async function exportChat(chatId: string): Promise<void> {
  try {
    const { fileName, markdown } = await client.chats.exportMarkdown({ chatId })
    saveText(fileName, markdown, 'text/markdown')
  } catch (error) {
    reportProblem(error)
  }
}
