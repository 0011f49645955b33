import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { ModelRef } from '../src/contract/models.ts'
import { openAgent } from '../test/fakes/agent.ts'
import { playQuestions, ways, withoutSharedNames, type Way } from '../test/bfcl/play.ts'
import { questionSets, readQuestions, toolsOf, type Call, type FunctionQuestion, type QuestionSetName } from '../test/bfcl/questions.ts'

export interface FunctionCallsBench {
  /** Questions that cannot be asked: what is right does not fit the function's own schema. */
  faults: { id: string; fault: string }[]
  /** Of the scripted model: how many questions of how many went right, by way and set. */
  scripted: { way: string; set: QuestionSetName; right: number; of: number; wrong: string[] }[]
  /** Of the real model that was named: never asserted, only told. */
  real: { model: string; set: QuestionSetName; right: number; of: number; secondsEach: number }[]
}

interface FunctionCallsOptions {
  /** Where `bfcl` lies. */
  dataDir: string
  /** Each style of text is asked so many questions of each set; the native ways and the text protocol all. */
  perStyle?: number
  /** `provider/model`, or a model of Ollama alone. */
  model?: string | undefined
  perSet?: number
}

/** Questions of BFCL through the whole path: a server over its socket, the reader, the loop, and tools made of the question's functions. */
export async function benchFunctionCalls({
  dataDir,
  perStyle = 10,
  model,
  perSet = 50,
}: FunctionCallsOptions): Promise<FunctionCallsBench | null> {
  const directory = join(dataDir, 'bfcl')
  if (!existsSync(directory)) return null
  const bench: FunctionCallsBench = { faults: [], scripted: [], real: [] }
  const sets = questionSets.map((set) => ({ set, all: readQuestions(directory, set) }))
  for (const { all } of sets) bench.faults.push(...all.flatMap(({ id, fault }) => (fault === null ? [] : [{ id, fault }])))
  for (const [index, way] of ways.entries()) {
    const isStyle = index >= 3
    for (const { set, all } of sets) {
      // Nothing is written in a style where no call is right.
      if (isStyle && set === 'irrelevance') continue
      const questions = all.filter(({ fault }) => fault === null)
      const score = { ...(await scriptedScore(isStyle ? spread(questions, perStyle, index) : questions, way)), set }
      bench.scripted.push(score)
      console.error(`${way.name}, ${set}: ${score.right} of ${score.of}`)
    }
  }
  if (model !== undefined && model !== '') {
    for (const { set, all } of sets) {
      const questions = all.filter(({ fault }) => fault === null)
      bench.real.push({ ...(await realScore(spread(questions, perSet, 0), model)), set })
    }
  }
  return bench
}

async function scriptedScore(questions: FunctionQuestion[], way: Way) {
  const played = await playQuestions(questions, way)
  const wrong = played.filter(({ right }) => !right)
  return {
    way: way.name,
    right: played.length - wrong.length,
    of: played.length,
    wrong: wrong.map(({ id, outcome }) => `${id}: ${outcome}`),
  }
}

/** Every so many of the list, from another one on each time. */
function spread<T>(list: T[], count: number, from: number): T[] {
  const step = Math.max(1, Math.floor(list.length / count))
  return list.filter((_each, index) => index % step === from % step).slice(0, count)
}

/** The environment names servers and keys as it does for the command line. */
async function realScore(questions: FunctionQuestion[], name: string) {
  const slash = name.indexOf('/')
  const isProvider = slash > 0 && name.slice(0, slash).endsWith('-environment')
  const ref: ModelRef = isProvider
    ? { providerId: name.slice(0, slash), model: name.slice(slash + 1) }
    : { providerId: 'ollama', model: name }
  const startedAt = performance.now()
  let right = 0
  for (const bin of withoutSharedNames(questions)) {
    const agent = await openAgent({ deps: { env: process.env } })
    const reached: Call[] = []
    try {
      for (const question of bin) for (const tool of toolsOf(question, (call) => reached.push(call))) agent.core.addTool(tool)
      for (const question of bin) {
        reached.length = 0
        await agent.run(question.text, { model: ref, agent: { tools: question.functions.map(({ name: each }) => each), memory: false } })
        if (isAccepted(question, reached)) right += 1
      }
    } finally {
      await agent.end()
    }
  }
  return { model: name, right, of: questions.length, secondsEach: (performance.now() - startedAt) / 1000 / questions.length }
}

/** As BFCL counts: the calls in any order, each argument one of those accepted, and none that is not. */
export function isAccepted({ accepted }: FunctionQuestion, reached: Call[]): boolean {
  const open = [...reached]
  if (open.length !== accepted.length) return false
  return accepted.every(({ name, values }) => {
    const at = open.findIndex((call) => call.name === name && fits(call.arguments, values))
    if (at >= 0) open.splice(at, 1)
    return at >= 0
  })
}

function fits(args: Record<string, unknown>, values: Record<string, unknown[]>): boolean {
  if (Object.keys(args).some((key) => !(key in values))) return false
  return Object.entries(values).every(([key, choices]) =>
    key in args ? choices.some((choice) => choice !== '' && isSame(args[key], choice)) : choices.includes(''),
  )
}

/** Texts without what BFCL leaves out too: case, spaces and marks. Inside objects each value is a list of accepted ones. */
function isSame(given: unknown, wanted: unknown): boolean {
  if (typeof given === 'string' && typeof wanted === 'string') return plain(given) === plain(wanted)
  if (Array.isArray(given) && Array.isArray(wanted))
    return given.length === wanted.length && given.every((each, at) => isSame(each, wanted[at]))
  if (isObject(given) && isObject(wanted))
    return fits(given, Object.fromEntries(Object.entries(wanted).map(([key, each]) => [key, Array.isArray(each) ? each : [each]])))
  return given === wanted
}

function plain(text: string): string {
  return text.toLowerCase().replace(/[\s,./_*^'"-]/g, '')
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
