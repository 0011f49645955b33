import variant from '@jitl/quickjs-wasmfile-release-sync'
import { newQuickJSWASMModuleFromVariant, type QuickJSContext, type QuickJSHandle, type QuickJSRuntime } from 'quickjs-emscripten-core'
import { sandboxPrelude } from './sandbox-prelude.ts'

export interface SandboxLimits {
  timeoutMs: number
  memoryBytes: number
  /** Of what is printed, and of the value. */
  maxCharacters: number
}

/** How it ended. Everything is text: no value of the sandbox comes out of it. */
export interface SandboxResult {
  outcome: 'value' | 'error' | 'timeout' | 'memory'
  /** The last expression's value, or what went wrong; '' for nothing. */
  text: string
  printed: string
  /** More was printed. */
  printedCut: boolean
}

/** Small enough that the interpreter notices before the thread's own stack ends. */
const stackBytes = 192 * 1024
/** Of jobs between two looks at the clock. */
const jobsAtOnce = 500
const mostJobs = 1_000_000

/** One run: its own instance of the interpreter, with its own memory, thrown away afterwards. Never rejects. */
export async function runInSandbox(code: string, limits: SandboxLimits): Promise<SandboxResult> {
  const first = await runOnce(withoutFence(code), limits, false)
  // `await (x)` outside a function is a call of something named await, until it is read as the body of one.
  const isAwait = first.outcome === 'error' && first.text.startsWith("ReferenceError: 'await' is not defined")
  return isAwait ? runOnce(withoutFence(code), limits, true) : first
}

async function runOnce(code: string, limits: SandboxLimits, asBody: boolean): Promise<SandboxResult> {
  let deadline = Infinity
  const isLate = (): boolean => performance.now() > deadline
  const printed: string[] = []
  let room = limits.maxCharacters
  let printedCut = false
  function end(outcome: SandboxResult['outcome'], text: string): SandboxResult {
    return { outcome, text: text.slice(0, limits.maxCharacters), printed: printed.join('\n'), printedCut }
  }
  function print(line: string): void {
    const kept = line.slice(0, Math.max(0, room))
    room -= line.length + 1
    if (kept.length < line.length || room < 0) printedCut = true
    if (kept !== '' || room >= 0) printed.push(kept)
  }

  try {
    // A new instance each time: what a run did to its memory cannot reach the next one.
    const interpreter = await newQuickJSWASMModuleFromVariant(variant)
    deadline = performance.now() + limits.timeoutMs
    const runtime = interpreter.newRuntime()
    runtime.setMemoryLimit(limits.memoryBytes)
    runtime.setMaxStackSize(stackBytes)
    runtime.setInterruptHandler(isLate)
    const context = runtime.newContext()
    const show = prepare(context, print, limits.maxCharacters)
    const ended = evaluate(context, runtime, readyCode(context, code, asBody), isLate)
    if (isLate()) return end('timeout', '')
    if (ended.kind === 'running') return end('timeout', 'its promises never end')
    const shown = context.callFunction(show, context.undefined, ended.value, ended.kind === 'error' ? context.true : context.false)
    if (isLate()) return end('timeout', '')
    if (shown.error) return end('error', errorText(context, shown.error))
    const text = context.getString(shown.value)
    if (ended.kind === 'error' && /^InternalError: (?:out of memory|string too long)/.test(text)) return end('memory', text)
    return end(ended.kind === 'error' ? 'error' : 'value', text)
  } catch (error) {
    // The interpreter itself gave up: its memory or its stack was at an end.
    if (isLate()) return end('timeout', '')
    return end('memory', error instanceof RangeError ? 'the stack was full' : 'the memory was full')
  }
}

/** Gives the sandbox its console, and gives back what turns its values into text. */
function prepare(context: QuickJSContext, print: (line: string) => void, maxCharacters: number): QuickJSHandle {
  const write = context.newFunction('write', (line) => {
    print(context.getString(line))
    return context.undefined
  })
  const make = context.unwrapResult(context.evalCode(sandboxPrelude, 'prelude.js'))
  return context.unwrapResult(context.callFunction(make, context.undefined, write, context.newNumber(maxCharacters)))
}

/** Code with `await` or `return` at its top becomes the body of an async function, its last expression what that returns. */
function readyCode(context: QuickJSContext, code: string, asBody: boolean): string {
  if (!asBody && (compiles(context, code) || !/\b(?:await|return)\b/.test(code))) return code
  const body = (text: string): string => `(async () => {${text}\n})()`
  const statements = code.trimEnd().replace(/;$/, '')
  const cut = Math.max(statements.lastIndexOf('\n'), statements.lastIndexOf(';')) + 1
  const returning = body(`${statements.slice(0, cut)}return (${statements.slice(cut)}\n)`)
  return compiles(context, returning) ? returning : body(code)
}

function compiles(context: QuickJSContext, code: string): boolean {
  const compiled = context.evalCode(code, 'code.js', { type: 'global', compileOnly: true })
  const isFine = compiled.error === undefined
  compiled.dispose()
  return isFine
}

function withoutFence(code: string): string {
  return /^\s*```[a-z]*\n([\s\S]*?)\n?```\s*$/i.exec(code)?.[1] ?? code
}

type Ended = { kind: 'value' | 'error'; value: QuickJSHandle } | { kind: 'running' }

function evaluate(context: QuickJSContext, runtime: QuickJSRuntime, code: string, isLate: () => boolean): Ended {
  const result = context.evalCode(code, 'code.js', { type: 'global' })
  if (result.error) return { kind: 'error', value: result.error }
  for (let jobs = 0; runtime.hasPendingJob(); jobs += jobsAtOnce) {
    if (isLate() || jobs > mostJobs) return { kind: 'running' }
    const ran = runtime.executePendingJobs(jobsAtOnce)
    if (ran.error) return { kind: 'error', value: ran.error }
  }
  const state = context.getPromiseState(result.value)
  if (state.type === 'fulfilled') return { kind: 'value', value: state.value }
  if (state.type === 'rejected') return { kind: 'error', value: state.error }
  // Nothing is left to do, and it waits: for ever.
  return { kind: 'running' }
}

function errorText(context: QuickJSContext, error: QuickJSHandle): string {
  const text: unknown = context.dump(error)
  return typeof text === 'object' && text !== null && 'message' in text ? String(text.message) : String(text)
}
