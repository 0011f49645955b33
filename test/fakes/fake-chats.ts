import { implement, ORPCError } from '@orpc/server'
import { contract } from '../../src/contract/contract.ts'
import type { AgentProfile } from '../../src/contract/agent.ts'
import type { ChatSummary, Draft } from '../../src/contract/answer.ts'
import { newestAfter, parentsOf } from '../../src/contract/branches.ts'
import { agentScript, isAgentTask } from './fake-agent-turns.ts'
import type { FakeOptions } from './fake-core.ts'
import { play, playAgent, scriptTurn, turnOf, watch, type FakeTurn } from './fake-turns.ts'

const done = { done: true as const }
function gone(message: string): ORPCError<string, unknown> {
  return new ORPCError('not-found', { message, data: { retryable: false } })
}

type AskedTurn = Pick<FakeTurn, 'mode' | 'attachments'> & { parentId?: string | null | undefined; held?: boolean }

/** The fake core's chats and turns. */
export function createChatCalls({
  scenario,
  sampleDir,
  sampleAt = sampleDir,
  fast = false,
  still = false,
  moreChats = 0,
  longChat = 0,
  control = {},
}: FakeOptions) {
  const os = implement(contract)
  const broken = scenario === 'broken'
  const chats = new Map<string, ChatSummary & { removed: boolean; agent: AgentProfile | null }>()
  const turns = new Map<string, FakeTurn>()
  const drafts = new Map<string | null, Draft>()
  let counter = 0
  let refusals = 0
  let revision = 0
  control.crash = () => {
    for (const turn of turns.values()) if (turn.events.at(-1)?.type !== 'turn-end') turn.lost = true
  }

  function addChat(title: string, ageDays: number): string {
    counter += 1
    const id = `chat-${counter}`
    const at = Date.now() - ageDays * 86_400_000
    chats.set(id, { id, title, createdAt: at, updatedAt: at, turns: 0, pinned: false, removed: false, agent: null })
    revision += 1
    return id
  }
  function startTurn(
    chatId: string,
    question: string,
    hasModel: boolean,
    quick: boolean,
    { mode, attachments, parentId, held = false }: AskedTurn = { mode: 'answer', attachments: [] },
  ): string {
    counter += 1
    const others = [...turns.values()].filter((turn) => turn.chatId === chatId)
    const before = parentsOf(others.map(({ id, parentId: each }, ordinal) => ({ id, ordinal, parentId: each })))
    const turn: FakeTurn = {
      id: `turn-${counter}`,
      chatId,
      question,
      parentId: parentId === undefined ? newestAfter(before, null) : parentId,
      events: [],
      stopped: false,
      changed: [],
      mode,
      attachments,
      asking: null,
      held,
      lost: false,
    }
    turns.set(turn.id, turn)
    if (mode === 'agent' || isAgentTask(question)) void playAgent(turn, agentScript(turn.id, chatId, question, Date.now()), quick)
    else void play(turn, scriptTurn(turn.id, chatId, question, sampleAt, hasModel, Date.now()), quick)
    const chat = chats.get(chatId)
    if (chat !== undefined) chat.turns += 1
    return turn.id
  }
  function historyOf(chatId: string) {
    return [...turns.values()].filter((turn) => turn.chatId === chatId).map(turnOf)
  }
  function stateOf(chatId: string) {
    const last = [...turns.values()].findLast((turn) => turn.chatId === chatId)
    if (last === undefined || last.lost || last.events.at(-1)?.type === 'turn-end') return undefined
    return last.asking === null ? ('running' as const) : ('waiting' as const)
  }
  for (let at = moreChats; at > 0; at -= 1) addChat(`Chat ${at} of many`, 40 + at / 100)
  if (longChat > 0) {
    const id = addChat('A long chat', 1)
    for (let at = 1; at <= longChat; at += 1) startTurn(id, at % 5 === 0 ? `long ${at}` : `押金 ${at}`, true, true)
  }
  if (scenario !== 'empty') {
    const titles = [
      '退租以后押金多少天内退还？',
      'Compare the two insurance offers',
      '三月会议定了哪些事',
      'How do I descale the coffee machine?',
      '论文里的样本量是多少',
      '报销单一共多少钱',
    ]
    titles.forEach((title, index) => {
      const id = addChat(title, index < 3 ? 0 : 4 + index)
      startTurn(id, title, !broken, true)
    })
  }

  return {
    chats: {
      list: os.chats.list.handler(({ input }) =>
        [...chats.values()]
          .filter((chat) => !chat.removed)
          .flatMap((chat) => {
            const wanted = input.text?.toLowerCase() ?? ''
            if (chat.title.toLowerCase().includes(wanted)) return [chat]
            const found = historyOf(chat.id).find(({ answer }) => answer.toLowerCase().includes(wanted))
            return found === undefined ? [] : [{ ...chat, excerpt: found.answer.slice(0, 200) }]
          })
          .sort((one, other) => Number(other.pinned) - Number(one.pinned) || other.updatedAt - one.updatedAt)
          .map(({ removed: _removed, agent: _agent, ...chat }) => {
            const state = stateOf(chat.id)
            return state === undefined ? chat : { ...chat, state }
          }),
      ),
      get: os.chats.get.handler(({ input }) => {
        const chat = chats.get(input.chatId)
        if (chat === undefined || chat.removed) throw gone(`chat ${input.chatId}`)
        const { removed: _removed, ...summary } = chat
        return {
          ...summary,
          scope: {},
          history: historyOf(input.chatId),
        }
      }),
      activity: os.chats.activity.handler(() => ({
        revision,
        chats: [...new Set([...turns.values()].slice(-40).map((turn) => turn.chatId))].flatMap((id) => {
          const state = stateOf(id)
          return state === undefined ? [] : [{ id, title: chats.get(id)?.title ?? '', state }]
        }),
      })),
      draft: os.chats.draft.handler(({ input }) => drafts.get(input.chatId) ?? null),
      saveDraft: os.chats.saveDraft.handler(({ input }) => {
        const { attachments = drafts.get(input.chatId)?.attachments, ...draft } = input.draft
        if (draft.text === '' && (attachments ?? []).length === 0) drafts.delete(input.chatId)
        else drafts.set(input.chatId, attachments === undefined ? draft : { ...draft, attachments })
        return done
      }),
      pin: os.chats.pin.handler(({ input }) => {
        const chat = chats.get(input.chatId)
        if (chat !== undefined) chat.pinned = input.pinned
        revision += 1
        return done
      }),
      rename: os.chats.rename.handler(({ input }) => {
        const chat = chats.get(input.chatId)
        if (chat !== undefined) chat.title = input.title
        revision += 1
        return done
      }),
      remove: os.chats.remove.handler(({ input }) => setRemoved(input.chatId, true)),
      restore: os.chats.restore.handler(({ input }) => setRemoved(input.chatId, false)),
      exportMarkdown: os.chats.exportMarkdown.handler(({ input }) => ({ fileName: `${input.chatId}.md`, markdown: '# chat\n' })),
      exportJson: os.chats.exportJson.handler(({ input }) => ({ fileName: `${input.chatId}.json`, json: '{}' })),
      importJson: os.chats.importJson.handler(() => ({ chatId: addChat('imported', 0) })),
      configure: os.chats.configure.handler(({ input }) => {
        const chat = chats.get(input.chatId)
        if (chat === undefined) throw gone(`chat ${input.chatId}`)
        chat.agent = input.agent
        return done
      }),
      ask: os.chats.ask.handler(({ input }) => {
        if (input.question.includes('unsent') && (refusals += 1) % 2 === 1)
          throw new ORPCError('busy', { message: 'The question before this one is still being answered.', data: { retryable: true } })
        if (input.chatId !== undefined && chats.get(input.chatId)?.removed !== false) throw gone('This chat is no longer there.')
        const chatId = input.chatId ?? addChat(input.question, 0)
        const chat = chats.get(chatId)
        if (input.chatId === undefined && chat !== undefined) chat.agent = input.agent ?? null
        if (input.question === 'imported one' && chat !== undefined)
          chat.agent = { name: 'Stranger', system: 'Obey me.', tools: null, memory: true, imported: true }
        return {
          chatId,
          turnId: startTurn(chatId, input.question, !broken && scenario !== 'empty' && input.model !== null, fast, {
            ...input,
            held: still,
          }),
        }
      }),
    },
    hearing: {
      transcribe: os.hearing.transcribe.handler(({ input }) => ({ text: `heard ${input.mediaType.split(';')[0] ?? ''}` })),
    },
    turns: {
      watch: os.turns.watch.handler(async function* ({ input, signal }) {
        const turn = turns.get(input.turnId)
        if (turn === undefined) throw gone('turn')
        if (turn.lost) return
        yield* watch(turn, input.from, signal)
      }),
      stop: os.turns.stop.handler(({ input }) => {
        const turn = turns.get(input.turnId)
        if (turn === undefined) return done
        turn.stopped = true
        turn.asking?.answer(null)
        return done
      }),
      approve: os.turns.approve.handler(({ input }) => {
        const turn = turns.get(input.turnId)
        if (turn?.lost === true) throw gone('turn')
        const asking = turn?.asking
        if (turn?.question.includes('conflict') === true || asking?.approvalId !== input.approvalId || asking.digest !== input.digest)
          throw new ORPCError('conflict', { message: 'This is not the call that waits.', data: { retryable: false } })
        asking.answer(input.decision)
        return done
      }),
      messages: os.turns.messages.handler(({ input }) => {
        const turn = turns.get(input.turnId)
        const parts = turn?.attachments.map(({ name, mediaType, data }) => ({ type: 'image' as const, name, mediaType, data })) ?? []
        return turn === undefined ? [] : [{ role: 'user', content: [{ type: 'text', text: turn.question }, ...parts] }]
      }),
      openCitation: os.turns.openCitation.handler(({ input }) => {
        const turn = turns.get(input.turnId)
        const stored = turn === undefined ? undefined : turnOf(turn, 0)
        const source = stored?.sources.find((each) => each.marker === input.marker)
        if (source === undefined) throw gone('citation')
        const citation = stored?.citations.find((each) => each.marker === input.marker) ?? { ...source, quote: source.text }
        const state = input.marker === 6 ? 'gone' : input.marker === 4 ? 'changed' : 'current'
        return { state, citation, documentId: state === 'gone' ? null : citation.documentId }
      }),
    },
  }

  function setRemoved(chatId: string, isRemoved: boolean) {
    const chat = chats.get(chatId)
    if (chat !== undefined) chat.removed = isRemoved
    revision += 1
    return done
  }
}
