import { useConnection } from '../client.ts'
import { pause } from '../follow.ts'
import { loadChats } from './chats.ts'
import { joinTurns, useConversation } from './conversation.ts'
import { lookForWaiting, useWaiting } from './waiting.ts'
import { useRunning } from './turns.ts'

const everyMs = 4_000
let lastRevision = -1

/** Looks now and then at what other windows and programs began. A hidden window looks too, but rarely. */
export async function watchChats(signal: AbortSignal): Promise<void> {
  for (let round = 0; !signal.aborted; round += 1) {
    if (useConnection.getState().state === 'open' && (!document.hidden || round % 5 === 0)) await look()
    await pause(everyMs, signal)
  }
}

async function look(): Promise<void> {
  try {
    const revision = await lookForWaiting()
    // The list itself is read only when it changed: it may be long.
    if (revision !== lastRevision) await loadChats()
    lastRevision = revision
    const { chatId, phase } = useConversation.getState()
    const goesOn = chatId !== null && useWaiting.getState().chats[chatId] !== undefined
    if (goesOn && phase === 'ready' && useRunning.getState().ids.length === 0) await joinTurns(chatId)
  } catch {
    // Said where the list is shown, and looked for again.
  }
}
