import { BlockList, isIP } from 'node:net'

const loopbackV4 = new BlockList()
loopbackV4.addSubnet('127.0.0.0', 8, 'ipv4')
loopbackV4.addAddress('0.0.0.0', 'ipv4')

/** The host of a URL without the brackets of an IPv6 address and without a closing dot. */
export function bareHost(hostname: string): string {
  return hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase()
}

/** `localhost` and names below it always mean this machine: `resolveHere` makes sure that no name server says otherwise. */
export function isLocalName(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost')
}

export function isLoopback(url: URL): boolean {
  const host = bareHost(url.hostname)
  if (isLocalName(host)) return true
  const family = isIP(host)
  if (family === 4) return loopbackV4.check(host, 'ipv4')
  if (family !== 6) return false
  // WHATWG URLs write an IPv4-mapped address in hex: ::ffff:127.0.0.1 is ::ffff:7f00:1.
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(host)
  if (mapped !== null) return Number.parseInt(mapped[1] ?? '', 16) >> 8 === 127
  return host === '::1' || host === '::'
}

/** Which proxy a contact goes through, by the usual variables; null means none. Lower-case names win, as everywhere. */
export function proxyFor(url: URL, env: Readonly<Record<string, string | undefined>>): string | null {
  if (isLoopback(url)) return null
  const read = (name: string): string => (env[name.toLowerCase()] ?? env[name.toUpperCase()] ?? '').trim()
  if (isExempt(url, read('no_proxy'))) return null
  const proxy = (url.protocol === 'https:' ? read('https_proxy') : read('http_proxy')) || read('all_proxy')
  if (proxy === '') return null
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(proxy) ? proxy : `http://${proxy}`
}

function isExempt(url: URL, list: string): boolean {
  const host = bareHost(url.hostname)
  const port = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port
  return list.split(/[\s,]+/).some((entry) => entry !== '' && matches(entry.toLowerCase(), host, port))
}

function matches(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true
  if (entry.includes('/')) return inSubnet(entry, host)
  const withPort = /^(\[[^\]]+\]|[^:]+):(\d+)$/.exec(entry)
  if (withPort !== null && withPort[2] !== port) return false
  const name = bareHost(withPort?.[1] ?? entry).replace(/^\*?\./, '')
  return host === name || (isIP(host) === 0 && host.endsWith(`.${name}`))
}

function inSubnet(entry: string, host: string): boolean {
  const [network = '', bits = ''] = entry.split('/')
  const family = isIP(network)
  if (family === 0 || isIP(host) !== family || !/^\d{1,3}$/.test(bits) || Number(bits) > (family === 4 ? 32 : 128)) return false
  const type = family === 4 ? 'ipv4' : 'ipv6'
  const list = new BlockList()
  list.addSubnet(network, Number(bits), type)
  return list.check(host, type)
}
