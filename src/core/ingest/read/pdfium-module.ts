import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'

/** Node has it; its types stand with those of a browser, which this layer does not know. */
interface WebAssemblyLike {
  compile(code: Uint8Array): Promise<object>
  Instance: new (module: object, imports: object) => { exports: object }
}
const { compile, Instance } = (globalThis as unknown as { WebAssembly: WebAssemblyLike }).WebAssembly

/** PDFium as compiled code, which never changes: compiling takes longer than reading a small document. */
const pdfiumCode = await compile(await readFile(createRequire(import.meta.url).resolve('@hyzyla/pdfium/pdfium.wasm')))

/** Memory and state of its own for each. */
export function pdfiumInstance(imports: object): { instance: object; code: object; exports: object } {
  const instance = new Instance(pdfiumCode, imports)
  return { instance, code: pdfiumCode, exports: instance.exports }
}
