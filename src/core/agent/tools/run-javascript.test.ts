import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Tool, ToolContext, ToolOutput } from '../tool.ts'
import { createRunJavascript } from './run-javascript.ts'
import type { ToolParts } from './tools.ts'

let started = 0
let tool: Tool
/** Its time is short, for what never ends. */
let hurried: Tool

beforeAll(() => {
  const workerUrl = (name: string): URL => {
    started += 1
    return pathToFileURL(join(process.cwd(), 'out', 'node', `${name}.js`))
  }
  const parts = { deps: { workerUrl } as unknown as ToolParts['deps'] }
  tool = createRunJavascript(parts)
  hurried = createRunJavascript(parts, { timeoutMs: 500, memoryBytes: 64 * 1024 * 1024, maxCharacters: 10_000 })
})
afterAll(() => Promise.all([tool.close?.(), hurried.close?.()]))

async function run(code: string, signal = new AbortController().signal, by = tool): Promise<ToolOutput> {
  return (await by.run({ code }, { signal } as ToolContext)) as ToolOutput
}

describe('what it gives', () => {
  it.each([
    ['1 + 1', 'Value: 2'],
    ['const a = [1, 2, 3]; a.map(x => x * x)', 'Value: [1,4,9]'],
    ['let x = 5; ({ x, y: [undefined, NaN, 10n], f() {} })', 'Value: {"x":5,"y":[null,"NaN","10n"],"f":"[function f]"}'],
    ['"汉字 “quoted”"', 'Value: "汉字 “quoted”"'],
    ['console.log("a", 1, { b: 2 }); print([3]); 4', 'Printed:\na 1 {"b":2}\n[3]\nValue: 4'],
    ['console.log("only this")', 'Printed:\nonly this'],
    ['var nothing', 'It ran and gave no value.'],
    ['return 6 * 7', 'Value: 42'],
    ['const v = await Promise.resolve(7); return v', 'Value: 7'],
    ['Promise.resolve(8)', 'Value: 8'],
    ['const f = async x => x + 1; const y = await (f(8)); y * 2', 'Value: 18'],
    ['const v = await Promise.resolve([1]);\nv.length', 'Value: 1'],
    ['```js\n9\n```', 'Value: 9'],
    ['const o = {}; o.self = o; o', 'Value: {"self":"[circular]"}'],
    ['const p = [1]; [p, p]', 'Value: [[1],[1]]'],
    ['new Map([["a", new Set([1])]])', 'Value: {"Map":[["a",{"Set":[1]}]]}'],
    ['new Date(0).toISOString()', 'Value: "1970-01-01T00:00:00.000Z"'],
    ['"strawberry".split("r").length - 1', 'Value: 3'],
    ['2n ** 100n', 'Value: 1267650600228229401496703205376n'],
  ])('%s', async (code, text) => {
    expect(await run(code)).toEqual({ text })
  })

  it.each([
    ['null.x', 'TypeError: cannot read property'],
    ['1 +', 'SyntaxError:'],
    ['\nthrow new Error("mine")', 'Error: mine (line 2)'],
    ['throw "text"', 'It failed: text'],
    ['Promise.reject(new RangeError("later"))', 'RangeError: later'],
    ['JSON.parse("{")', 'SyntaxError:'],
    ['console.log("before"); undefinedName', 'Printed:\nbefore\nIt failed: ReferenceError'],
  ])('%s says what went wrong', async (code, words) => {
    const output = await run(code)
    expect(output.failed).toBe(true)
    expect(output.text).toContain(words)
  })
})

describe('there is no way out', () => {
  it.each([
    'require("fs")',
    'process.exit(1)',
    'fetch("http://127.0.0.1:1/")',
    'import("node:fs")',
    'import fs from "node:fs"; fs',
    'this.constructor.constructor("return process")()',
    'Function("return process.env")()',
    '(0, eval)("process")',
    'new Worker("x")',
    'XMLHttpRequest',
    'WebAssembly.compile',
    'setTimeout(() => {}, 0)',
    'console.log.constructor("return process")()',
    'print.constructor("return require")()("fs")',
    'globalThis.parentPort.postMessage(1)',
    'std.exit(1)',
    'os.exec(["id"])',
    'scriptArgs',
    'Deno.readFile("x")',
    'new Error().stack.constructor.constructor("return process.pid")()',
  ])('%s', async (code) => {
    const output = await run(code)
    expect(output.failed).toBe(true)
    expect(output.text).toMatch(/not defined|could not load|unsupported|module|SyntaxError|of undefined/i)
  })

  it('has only the language in its global object', async () => {
    const { text } = await run('Object.getOwnPropertyNames(globalThis).filter(name => /^[a-z]/.test(name)).sort().join()')
    expect(text).toBe(
      'Value: "console,decodeURI,decodeURIComponent,encodeURI,encodeURIComponent,escape,eval,globalThis,isFinite,isNaN,parseFloat,parseInt,print,undefined,unescape"',
    )
  })

  it('cannot change what comes out into anything but text', async () => {
    const spoil =
      'Object.prototype.failed = true; JSON.stringify = () => "{}"; String.prototype.slice = () => ({ toString: 1 }); Array.prototype.join = () => { throw 1 };'
    expect(await run(`${spoil} ({ a: 1 })`)).toEqual({ text: 'Value: {"a":1}' })
    expect(await run('({ toJSON() { return { __proto__: { polluted: 1 }, constructor: { prototype: 1 } } } })')).toEqual({
      text: 'Value: {"constructor":{"prototype":1}}',
    })
    expect({}).not.toHaveProperty('polluted')
    expect({}).not.toHaveProperty('failed')
  })

  it('leaves nothing behind for the next run, in the same thread', async () => {
    await run('1')
    const before = started
    for (let round = 0; round < 10; round++) {
      const output = await run(
        `const seen = [typeof globalThis.kept, typeof Array.prototype.kept, typeof kept2]; globalThis.kept = 1; Array.prototype.kept = 1; var kept2 = 1; console.log = () => {}; seen.join()`,
      )
      expect(output).toEqual({ text: 'Value: "undefined,undefined,undefined"' })
    }
    expect(await run('console.log("back")')).toEqual({ text: 'Printed:\nback' })
    expect(started).toBe(before)
  })
})

describe('limits', () => {
  it.each([
    ['a loop', 'console.log("begun"); for (;;) {}'],
    ['a loop that catches everything', 'for (;;) { try { for (;;) {} } catch {} }'],
    ['a loop in a getter of the result', '({ get x() { for (;;) {} } })'],
    ['a loop in toJSON', '({ toJSON() { for (;;) {} } })'],
    ['a regular expression that never ends', '/^(a+)+$/.test("a".repeat(40) + "!")'],
    ['a promise job that makes the next', 'const again = () => Promise.resolve().then(again); again()'],
    ['an async loop', 'await (async () => { for (;;) await null })()'],
    ['a promise that never settles', 'new Promise(() => {})'],
    ['a sort that never ends', 'const a = Array.from({ length: 1e5 }, (_, i) => i); for (;;) a.sort(() => Math.random() - 0.5)'],
  ])('%s is stopped', { timeout: 120_000 }, async (_what, code) => {
    const output = await run(code, undefined, hurried)
    expect(output.failed).toBe(true)
    expect(output.text).toMatch(/It was stopped: (?:it ran longer than 0.5 s|its promises never end)\./)
    expect(await run('1 + 1', undefined, hurried)).toEqual({ text: 'Value: 2' })
  })

  it.each([
    ['an array that grows', 'const a = []; for (;;) a.push(new Array(100000).fill(1))'],
    ['a text that doubles', 'let s = "x"; for (;;) s += s'],
    ['one huge buffer', 'new ArrayBuffer(2 ** 31)'],
    ['many typed arrays', 'const a = []; for (;;) a.push(new Uint8Array(1e6))'],
    ['a result that is too large to write', 'const row = "x".repeat(1e6); Array.from({ length: 1e4 }, () => row)'],
    [
      'a memory bomb that catches everything',
      'const a = []; for (let i = 0; i < 1e6; i++) { try { a.push("y".repeat(1e6) + i) } catch {} } throw new Error("full")',
    ],
    ['endless recursion', 'function f() { return f() + 1 } f()'],
    ['recursion through JSON', 'const o = {}; let p = o; for (let i = 0; i < 1e5; i++) p = p.a = {}; JSON.stringify(o)'],
    ['recursion through a getter', 'const o = { get x() { return this.x } }; o.x'],
    ['deep parentheses', `${'('.repeat(20_000)}1${')'.repeat(20_000)}`],
    ['deep arrays', `${'['.repeat(20_000)}1${']'.repeat(20_000)}`],
    ['a deep regular expression', 'new RegExp("(".repeat(1e5) + ")".repeat(1e5))'],
  ])('%s is an error, and the next run works', { timeout: 120_000 }, async (_what, code) => {
    const output = await run(code, undefined, hurried)
    expect(output.failed).toBe(true)
    expect(output.text.length).toBeLessThan(1000)
    expect(await run('1 + 1', undefined, hurried)).toEqual({ text: 'Value: 2' })
  })

  it('bounds what is printed and what is given', async () => {
    const printing = await run('for (let i = 0; i < 20000; i++) console.log("line " + i)')
    expect(printing.text.length).toBeLessThan(11_000)
    expect(printing.text).toContain('(more was printed; print less)')
    expect((await run('console.log("x".repeat(3e6))')).text.length).toBeLessThan(11_000)
    expect((await run('"y".repeat(3e6)')).text.length).toBeLessThan(11_000)
    expect((await run('throw new Error("z".repeat(3e6))')).text.length).toBeLessThan(11_000)
  })

  it('ends at once when it is stopped', async () => {
    const stop = new AbortController()
    const running = run('for (;;) {}', stop.signal)
    stop.abort()
    await expect(running).rejects.toMatchObject({ code: 'cancelled' })
    expect(await run('1 + 1')).toEqual({ text: 'Value: 2' })
  })
})

it('shows a person the code', () => {
  expect(tool.line?.({ code: '1 + 1' }, 'en')).toBe('Run in the sandbox: 1 + 1')
})
