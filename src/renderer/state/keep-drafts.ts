import { client, useConnection } from '../client.ts'
import { dropUnsaved, readUnsaved, writeUnsaved } from './unsaved-text.ts'
import { setScope, switchMode, useConversation } from './conversation.ts'
import { useDraft, type DraftAttachment } from './draft.ts'

const pauseMs = 400

interface Kept {
  chatId: string | null
  text: string
  attachments: DraftAttachment[]
}

/** What the core has of each chat's attachments: they may be large, and are sent only when they change. */
const sent = new Map<string | null, DraftAttachment[]>()
/** Chats whose draft is known here, and newer than what the core has. */
const known = new Set<string | null>()

function read(): Kept {
  const { chatId, text, attachments } = useDraft.getState()
  return { chatId, text, attachments }
}

async function save({ chatId, text, attachments }: Kept): Promise<void> {
  const { chatId: open, scope, mode } = useConversation.getState()
  const draft = { text, ...(open === chatId ? { scope, mode } : {}) }
  const changed = (sent.get(chatId) ?? []) !== attachments && (attachments.length > 0 || sent.has(chatId))
  sent.set(chatId, attachments)
  writeUnsaved(chatId, text)
  try {
    const files = attachments.map(({ name, mediaType, data }) => ({ name, mediaType, data }))
    await client.chats.saveDraft({ chatId, draft: changed ? { ...draft, attachments: files } : draft })
    dropUnsaved(chatId, text)
  } catch {
    // A draft that could not be kept is still on the screen and in this window; it is sent again with the next change or connection.
    sent.delete(chatId)
  }
}

/** Brings what was left unsent before a restart into a composer that is still untouched. */
async function load(chatId: string | null): Promise<void> {
  try {
    const stored = await client.chats.draft({ chatId })
    const unsaved = readUnsaved(chatId)
    const draft = unsaved === null ? stored : { scope: {}, ...stored, text: unsaved }
    const now = read()
    if (draft === null || known.has(chatId) || now.chatId !== chatId || now.text !== '' || now.attachments.length > 0) return
    const attachments = (draft.attachments ?? []).map((each) => ({
      ...each,
      id: crypto.randomUUID(),
      sizeBytes: Math.floor((each.data.length * 3) / 4),
    }))
    sent.set(chatId, attachments)
    known.add(chatId)
    useDraft.setState({ text: draft.text, attachments })
    if (unsaved !== null) void save({ chatId, text: unsaved, attachments })
    if (useConversation.getState().chatId !== chatId) return
    if (draft.mode !== undefined) switchMode(draft.mode)
    if (chatId === null) setScope(draft.scope)
  } catch {
    // Then the composer is empty, as it would be without.
  }
}

/** Keeps in the core what is being written, so that it is there again after a restart. Runs until the signal ends it. */
export function keepDrafts(signal: AbortSignal): void {
  let last = read()
  let timer: ReturnType<typeof setTimeout> | undefined
  function flush(): void {
    if (timer === undefined) return
    clearTimeout(timer)
    timer = undefined
    void save(last)
  }
  const stop = useDraft.subscribe(() => {
    const now = read()
    if (now.chatId !== last.chatId) {
      flush()
      const before = last
      last = now
      // A new chat got its name: what is written in it is its own from now on.
      if (before.chatId === null && known.has(null) && now.attachments === before.attachments)
        void save({ ...before, text: '', attachments: [] })
      if (!known.has(now.chatId)) void load(now.chatId)
      return
    }
    if (now.text === last.text && now.attachments === last.attachments) return
    last = now
    known.add(now.chatId)
    clearTimeout(timer)
    timer = setTimeout(flush, pauseMs)
  })
  const stopConnection = useConnection.subscribe(({ generation }, before) => {
    if (generation > 1 && generation !== before.generation && readUnsaved(last.chatId) === last.text) void save(last)
  })
  void load(last.chatId)
  window.addEventListener('pagehide', flush)
  signal.addEventListener('abort', () => {
    stop()
    stopConnection()
    window.removeEventListener('pagehide', flush)
    clearTimeout(timer)
  })
}
