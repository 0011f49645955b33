import { useConnection } from '../client.ts'
import { pause } from '../follow.ts'
import { loadChats, useChats } from './chats.ts'
import { joinTurns, lookForRemoval, useConversation } from './conversation.ts'
import { loadModels } from './models.ts'
import { takeOverSettings } from './settings.ts'
import { lookForWaiting, useWaiting } from './waiting.ts'
import { useRunning } from './turns.ts'

const everyMs = 4_000
let lastRevision = -1

/** Looks now and then at what other windows and programs began and set. A hidden window looks too, but rarely. */
export async function watchOthers(signal: AbortSignal): Promise<void> {
  for (let round = 0; !signal.aborted; round += 1) {
    if (useConnection.getState().state === 'open' && (!document.hidden || round % 5 === 0)) await look()
    await pause(everyMs, signal)
  }
}

/** Null while only what was searched for is listed. */
function isListed(chatId: string): boolean | null {
  const { chats, text } = useChats.getState()
  return chats === null || text.trim() !== '' ? null : chats.some(({ id }) => id === chatId)
}

async function look(): Promise<void> {
  try {
    if (await takeOverSettings()) void loadModels()
    const revision = await lookForWaiting()
    // The list itself is read only when it changed: it may be long.
    if (revision !== lastRevision && (await loadChats())) lastRevision = revision
    const { chatId, phase, nodes, removed } = useConversation.getState()
    if (chatId !== null && phase === 'ready' && nodes.length > 0 && isListed(chatId) === removed) await lookForRemoval(chatId)
    if (chatId === null || phase !== 'ready' || useRunning.getState().ids.length > 0) return
    // One that began and ended between two looks is known by the list alone.
    const turns = useChats.getState().chats?.find(({ id }) => id === chatId)?.turns ?? 0
    if (useWaiting.getState().chats[chatId] !== undefined || turns > nodes.length) await joinTurns(chatId)
  } catch {
    // Said where the list is shown, and looked for again.
  }
}
