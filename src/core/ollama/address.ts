import type { SikuError } from '../../contract/errors.ts'
import { failure } from '../../contract/errors.ts'

const defaultPort = '11434'

/**
 * The addresses to try, in order, for any form that OLLAMA_HOST may have: nothing, a name, a port alone, an IPv6 address
 * with or without brackets, with a scheme, a path, slashes or quotes. An address to listen on (0.0.0.0, ::) means this
 * machine, and this machine is tried by both of its addresses.
 */
export function ollamaBaseUrls(form: string): string[] {
  const text = form
    .trim()
    .replace(/^["']|["']$/g, '')
    .trim()
  const [, scheme = '', rest = ''] = /^(?:([a-z][a-z0-9+.-]*):\/\/)?(.*)$/i.exec(text) ?? []
  if (scheme !== '' && !/^https?$/i.test(scheme)) throw notAnAddress(form)
  const slash = rest.indexOf('/')
  const authority = slash === -1 ? rest : rest.slice(0, slash)
  const path = slash === -1 ? '' : rest.slice(slash).replace(/\/+$/, '')
  if (authority.includes('@')) {
    throw failure('address-secret')
  }
  const { host, port } = parts(authority)
  // As the server's own client does: a scheme without a port brings its usual one.
  const usual = scheme === '' ? defaultPort : scheme.toLowerCase() === 'https' ? '443' : '80'
  const base = (name: string): string => `${scheme === '' ? 'http' : scheme.toLowerCase()}://${name}:${port === '' ? usual : port}${path}`
  const urls = hostsFor(host).map(base)
  for (const url of urls) if (!URL.canParse(url)) throw notAnAddress(form)
  return urls
}

function notAnAddress(form: string): SikuError {
  return failure('address-wrong', { address: form })
}

function parts(authority: string): { host: string; port: string } {
  const bracketed = /^\[([^\]]*)\](?::(\d*))?$/.exec(authority)
  if (bracketed !== null) return { host: bracketed[1] ?? '', port: bracketed[2] ?? '' }
  // Two colons or more without brackets can only be an IPv6 address.
  if ((authority.match(/:/g) ?? []).length > 1) return { host: authority, port: '' }
  if (/^\d{1,5}$/.test(authority)) return { host: '', port: authority }
  const [host = '', port = ''] = authority.split(':')
  return { host, port }
}

function hostsFor(host: string): string[] {
  const name = host.toLowerCase()
  if (name === '::' || name === '::1' || name === '0:0:0:0:0:0:0:0') return ['[::1]', '127.0.0.1']
  if (name === '' || name === 'localhost' || name === '0.0.0.0' || name === '127.0.0.1') return ['127.0.0.1', '[::1]']
  return [host.includes(':') ? `[${host}]` : host]
}
