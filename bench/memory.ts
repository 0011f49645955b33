import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { MemoryFile } from '../src/contract/memory.ts'
import type { Message } from '../src/contract/message.ts'
import type { Embedder } from '../src/core/embed/embed.ts'
import { createMemories, fitWindow, type WindowSummary } from '../src/core/memory/memory.ts'
import { roughTokens } from '../src/core/models/models.ts'
import { openStore } from '../src/core/store/store.ts'
import { recallQuality, recallSet, type RecallQuality, type RecallSet, type RecallSetName } from '../test/fakes/recall-quality.ts'

export interface MemoryBench {
  memories: number
  /** Medians and 95th percentiles of single calls. */
  recall: { wholeMs: number; beyondEmbeddingMs: number; beyondEmbeddingP95Ms: number }
  /** The first call after a start, and the first after one memory was added, without embedding. */
  firstMs: number
  afterAddMs: number
  quality: Record<RecallSetName, { meaning: RecallQuality; words: RecallQuality }>
  /** Fitting a window that is full: mean of the first 20 rounds from its first summary on, and of the last 20 of 200. */
  window: { firstMs: number; lastMs: number; ratio: number; summaries: number }
}

export interface MemoryBenchOptions {
  embedder: Embedder
  root: string
  resourcesDir: string
  /** out/node. */
  builtDir: URL
  memories?: number
}

/** Recall among many memories, with the real model; how well it chooses; and what the context window costs in a long turn. */
export async function benchMemory({
  embedder,
  root,
  resourcesDir,
  builtDir,
  memories: count = 10_000,
}: MemoryBenchOptions): Promise<MemoryBench> {
  const dataDir = mkdtempSync(join(tmpdir(), 'siku-bench-'))
  let embeddingMs = 0
  const timed: Embedder = {
    ...embedder,
    async embedQuestion(text, options) {
      const from = performance.now()
      const vector = await embedder.embedQuestion(text, options)
      embeddingMs += performance.now() - from
      return vector
    },
  }
  const log = (): void => undefined
  const store = await openStore({ dataDir, workerUrl: new URL('writer-thread.js', builtDir), now: Date.now, log })
  const open = () =>
    createMemories({ deps: { now: Date.now, newId: randomUUID, log, dataDir, resourcesDir }, store, embedder: () => timed })
  const sets = { tuned: recallSet(root, 'tuned'), held: recallSet(root, 'held') }
  try {
    const filling = open()
    await filling.importJson(JSON.stringify(manyMemories(sets.tuned, count)))
    await filling.whenIdle()
    await filling.close()

    const memories = open()
    async function one(question: string): Promise<{ wholeMs: number; beyondMs: number }> {
      embeddingMs = 0
      const from = performance.now()
      await memories.recall(question)
      const wholeMs = performance.now() - from
      return { wholeMs, beyondMs: wholeMs - embeddingMs }
    }
    const questions = [...sets.tuned.questions, ...sets.held.questions].map(([question]) => question)
    await embedder.embedQuestion('warm')
    const first = await one(questions[0]!)
    for (const question of questions.slice(0, 20)) await one(question)
    const measured = []
    for (const question of questions) measured.push(await one(question))
    await memories.add({ text: 'The bicycle lock opens with 4711.', kind: 'fact', source: { from: 'user', chatId: null, turnId: null } })
    await memories.whenIdle()
    const afterAdd = await one(questions[1]!)
    await memories.close()

    const quality = async (name: RecallSetName) => ({
      meaning: await recallQuality(sets[name], { embedder, resourcesDir, byMeaning: true }),
      words: await recallQuality(sets[name], { embedder, resourcesDir, byMeaning: false }),
    })
    return {
      memories: store.memories.count(),
      recall: {
        wholeMs: at(
          measured.map((each) => each.wholeMs),
          0.5,
        ),
        beyondEmbeddingMs: at(
          measured.map((each) => each.beyondMs),
          0.5,
        ),
        beyondEmbeddingP95Ms: at(
          measured.map((each) => each.beyondMs),
          0.95,
        ),
      },
      firstMs: first.beyondMs,
      afterAddMs: afterAdd.beyondMs,
      quality: { tuned: await quality('tuned'), held: await quality('held') },
      window: await benchWindow(),
    }
  } finally {
    await store.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** The memories of the set about ever other people, days and sums. */
function manyMemories({ memories }: RecallSet, count: number): MemoryFile {
  const names = ['Anna', 'Boris', 'Chen', 'Dora', 'Emil', 'Fatima', 'Georg', 'Hana', '王芳', '李明', '张强', '赵敏']
  const texts = Object.values(memories)
  return {
    format: 'siku-memories',
    version: 1,
    memories: Array.from({ length: count }, (_each, index) => {
      const [kind, text] = texts[index % texts.length]!
      const round = Math.floor(index / texts.length)
      const name = names[round % names.length]!
      const other = text
        .replace(/The user’s|The user's|The user|用户/g, name)
        .replace(/\d+/g, (digits) => String((Number(digits) + round * 7) % 10 ** digits.length))
      const source = { from: 'user' as const, chatId: null, turnId: null }
      return {
        id: `${index}`,
        text: `${other} (${name}, ${round})`,
        kind,
        source,
        createdAt: index,
        updatedAt: index,
        usedAt: null,
        uses: 0,
      }
    }),
  }
}

/** Several turns of 200 rounds in a window of 8k: what choosing the messages of a round takes, the median of the turns for each. */
async function benchWindow(): Promise<MemoryBench['window']> {
  const turns: Awaited<ReturnType<typeof benchTurn>>[] = []
  for (let count = 0; count < 9; count++) turns.push(await benchTurn())
  const timesMs = turns[0]!.timesMs.map((_time, round) =>
    at(
      turns.map((turn) => turn.timesMs[round]!),
      0.5,
    ),
  )
  const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
  const full = turns[0]!.firstSummary
  const [firstMs, lastMs] = [mean(timesMs.slice(full, full + 20)), mean(timesMs.slice(-20))]
  return { firstMs, lastMs, ratio: lastMs / firstMs, summaries: turns[0]!.summaries }
}

async function benchTurn(): Promise<{ timesMs: number[]; summaries: number; firstSummary: number }> {
  const system: Message = { role: 'system', content: 'You are Siku. '.repeat(50) }
  const tools = Array.from({ length: 15 }, (_each, index) => ({
    name: `tool_${index}`,
    description: 'Does this and that. '.repeat(5),
    parameters: { type: 'object', properties: {} },
  }))
  const current: Message[] = [{ role: 'user', content: 'Read everything and compare.' }]
  let summary: WindowSummary | null = null
  let summaries = 0
  let firstSummary = 0
  const timesMs: number[] = []
  for (let round = 0; round < 200; round++) {
    const id = `call-${round}`
    current.push(
      { role: 'assistant', content: '', toolCalls: [{ id, name: 'tool_1', arguments: { page: round } }] },
      { role: 'tool', name: 'tool_1', toolCallId: id, content: `Page ${round} says: ${'something of note. '.repeat(150)}` },
    )
    const from = performance.now()
    const fitted = await fitWindow({
      system,
      history: [],
      current,
      tools,
      windowTokens: 8192,
      maxAnswerTokens: 1024,
      estimateTokens: roughTokens,
      summary,
      summarise: null,
    })
    timesMs.push(performance.now() - from)
    if (fitted.summary !== summary) {
      if (summary === null) firstSummary = round
      summaries += 1
    }
    summary = fitted.summary
  }
  return { timesMs, summaries, firstSummary }
}

function at(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!
}
