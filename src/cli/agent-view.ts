import type { TurnEvent } from '../contract/answer.ts'
import { saidByTool } from '../contract/call-text.ts'
import { summaryProgress } from './basis.ts'
import { createLongCalls, longCallMs } from './long-calls.ts'
import { count, plain, quote, say, seconds } from './output.ts'
import type { Words } from './words.ts'

export interface TurnView {
  show(event: TurnEvent): void
  /** A line on stderr that does not fall into a line of the answer. */
  note(text: string): void
  /** The answer as it is now stands on the screen already. */
  readonly isWritten: boolean
}

interface ViewOptions {
  words: Words
  /** Write the answer to stdout as it comes: only a terminal can show that a part of it was withdrawn. */
  live: boolean
  quiet: boolean
  /** Steps with their times: of an agent's turn. */
  steps: boolean
  /** A note that the answer itself begins with. */
  leaveOut?: ReadonlySet<string>
}

const planMarks = { open: ' ', doing: '~', done: 'x', dropped: '-' } as const

/** A turn as a terminal shows it: the answer on stdout, everything else on stderr. */
export function createTurnView({ words, live, quiet, steps, leaveOut = new Set() }: ViewOptions): TurnView {
  let isWritten = false
  let isMidLine = false
  const depths = new Map<string, number>()
  const tools = new Map<string, string>()
  const waits = createLongCalls((callId, limitMs) => {
    const said = words.agent.stillRuns((longCallMs / 1000).toFixed(0), Math.ceil(limitMs / 1000).toFixed(0))
    note(`${indent(callId)}· ${plain(tools.get(callId) ?? '')} · ${said}`)
  })

  function note(text: string): void {
    if (isMidLine) process.stdout.write('\n')
    isMidLine = false
    say(text)
  }

  function write(text: string): void {
    if (!live || text === '') return
    process.stdout.write(text)
    isWritten = true
    isMidLine = !text.endsWith('\n')
  }

  const indent = (callId: string): string => '  '.repeat(depths.get(callId) ?? 0)

  function remark(event: TurnEvent): string | null {
    const { agent } = words
    switch (event.type) {
      case 'step-end':
        return steps ? `· ${agent.step[event.kind]} ${seconds(event.elapsedMs)} s` : summaryProgress(event, words)
      case 'note':
        if (event.note.code === 'agent-imported') return agent.agentImported
        // The basis stands below the answer.
        return leaveOut.has(event.note.code) || event.note.basis !== undefined ? null : event.note.message
      case 'plan':
        return [`${agent.plan}:`, ...event.items.map((item) => `  [${planMarks[item.state]}] ${quote(item.text)}`)].join('\n')
      case 'memories-used':
        return event.memories.length === 0 ? null : `· ${agent.memories(count(event.memories.length))}`
      case 'call-start': {
        depths.set(event.callId, event.parentCallId === null ? 0 : (depths.get(event.parentCallId) ?? 0) + 1)
        tools.set(event.callId, event.tool)
        return `${indent(event.callId)}→ ${plain(event.tool)} · ${quote(event.line, 200)}`
      }
      case 'call-end': {
        const cut = event.cutFrom === null ? '' : ` · ${agent.cut(count(event.cutFrom))}`
        const said = event.status === 'ok' ? '' : saidByTool(event)
        const why = said === '' ? '' : `: ${quote(said, 200)}`
        const mark = event.status === 'ok' ? '✓' : '✗'
        const tool = plain(tools.get(event.callId) ?? '')
        return `${indent(event.callId)}${mark} ${tool} · ${agent.status[event.status]} · ${seconds(event.elapsedMs)} s${cut}${why}`
      }
      case 'text-reset':
        return isWritten ? `· ${agent.again}` : null
      default:
        return null
    }
  }

  return {
    get isWritten() {
      return isWritten
    },
    note,
    show(event) {
      if (event.type === 'text-delta') write(plain(event.text))
      const said = remark(event)
      if (!quiet) waits.follow(event)
      if (said !== null && !quiet) note(said)
      if (event.type === 'text-reset') {
        if (isMidLine) process.stdout.write('\n')
        isMidLine = false
        isWritten = false
      }
    },
  }
}
