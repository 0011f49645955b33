/**
 * What runs first in the sandbox: a console, and the function that makes text of the last value. It holds on to the built-in
 * functions that it uses, so that code which changes them spoils no more than its own result. Kept as text: it belongs to
 * another world than this program.
 */
export const sandboxPrelude = `(write, most) => {
  const { stringify } = JSON
  const toText = String
  const { isArray } = Array
  const { getPrototypeOf } = Object
  const call = Function.prototype.call
  const slice = call.bind(String.prototype.slice)
  const push = call.bind(Array.prototype.push)
  const indexOf = call.bind(Array.prototype.indexOf)
  const map = call.bind(Array.prototype.map)
  const join = call.bind(Array.prototype.join)
  const isError = value => value instanceof Error
  const listOf = Array.from

  function plain(value) {
    const parents = []
    return stringify(value, function (key, part) {
      while (parents.length > 0 && parents[parents.length - 1] !== this) parents.length--
      if (typeof part === 'bigint') return toText(part) + 'n'
      if (typeof part === 'function') return '[function ' + (part.name || 'anonymous') + ']'
      if (typeof part === 'symbol') return toText(part)
      if (typeof part === 'number' && (part !== part || part === Infinity || part === -Infinity)) return toText(part)
      if (typeof part !== 'object' || part === null) return part
      if (indexOf(parents, part) >= 0) return '[circular]'
      if (isError(part)) return toText(part)
      let shown = part
      if (part instanceof Map) shown = { Map: listOf(part) }
      else if (part instanceof Set) shown = { Set: listOf(part) }
      else if (!isArray(part) && ArrayBuffer.isView(part) && !(part instanceof DataView)) shown = listOf(part)
      push(parents, shown)
      return shown
    })
  }
  function show(value) {
    if (typeof value === 'bigint') return toText(value) + 'n'
    if (value === undefined) return 'undefined'
    if (typeof value === 'function') return '[function ' + (value.name || 'anonymous') + ']'
    if (typeof value === 'number' || typeof value === 'symbol') return toText(value)
    const text = plain(value)
    return text === undefined ? toText(value) : text
  }
  function line(value) {
    return typeof value === 'string' ? value : show(value)
  }
  function say(...values) {
    write(slice(join(map(values, value => { try { return line(value) } catch (error) { return toText(error) } }), ' '), 0, most))
  }
  globalThis.console = { log: say, info: say, warn: say, error: say, debug: say, table: say }
  globalThis.print = say
  return (value, failed) => {
    if (!failed) return value === undefined ? '' : slice(show(value), 0, most)
    if (!isError(value)) return slice(line(value), 0, most)
    const where = typeof value.stack === 'string' ? /code\\.js:(\\d+)/.exec(value.stack) : null
    return slice(toText(value.name) + ': ' + toText(value.message) + (where ? ' (line ' + where[1] + ')' : ''), 0, most)
  }
}`
