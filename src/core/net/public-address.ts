import { BlockList, isIP } from 'node:net'
import { bareHost } from './address.ts'

/** What a public server can listen on. A list of what is allowed cannot forget a database. */
const webPorts = new Set(['', '80', '443', '8000', '8080', '8443', '8888'])

/** Names that mean something only on this machine, in this network or behind a gateway. */
const innerNames = new Set(
  'localhost localdomain local internal intranet private corp home lan arpa onion i2p alt test workgroup domain host router'.split(' '),
)

function blockList(family: 'ipv4' | 'ipv6', subnets: [string, number][]): BlockList {
  const list = new BlockList()
  for (const [network, bits] of subnets) list.addSubnet(network, bits, family)
  return list
}

/** Everything that IANA lists as not globally reachable, and the address at which one cloud serves its machines' secrets. */
const innerV4 = blockList('ipv4', [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
])
const globalV6 = blockList('ipv6', [['2000::', 3]])
/** Inside the global range: protocols with Teredo, documentation, 6to4. The tunnels carry any IPv4 address, and no site lives behind one. */
const innerV6 = blockList('ipv6', [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
])

/** True only for an address that anybody on the internet can reach. Takes what a resolver gives or a URL's host without brackets. */
export function isPublicAddress(address: string): boolean {
  if (address.includes('%')) return false
  const family = isIP(address)
  if (family === 4) return !innerV4.check(address, 'ipv4')
  if (family !== 6) return false
  const translated = nat64(address)
  if (translated !== null) return !innerV4.check(translated, 'ipv4')
  return globalV6.check(address, 'ipv6') && !innerV6.check(address, 'ipv6')
}

/** The IPv4 address inside 64:ff9b::/96: networks without IPv4 answer every name with such a one. */
function nat64(address: string): string | null {
  const written = bareHost(new URL(`http://[${address}]/`).hostname)
  const found = /^64:ff9b::(?:(?:([0-9a-f]{1,4}):)?([0-9a-f]{1,4}))?$/.exec(written)
  if (found === null) return null
  const [high, low] = [Number.parseInt(found[1] ?? '0', 16), Number.parseInt(found[2] ?? '0', 16)]
  return `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`
}

/** Addresses that proxy programs give to every name in their "fake IP" mode. They lead to nothing inside. */
const madeUp = blockList('ipv4', [['198.18.0.0', 15]])

export function isMadeUpAddress(address: string): boolean {
  return isIP(address) === 4 && madeUp.check(address, 'ipv4')
}

/**
 * Why an address that a model, a page or a document named may not be contacted; null when its looks allow it. What a name
 * resolves to is checked when the connection is made. The URL parser has already turned every other spelling of an address
 * (decimal, octal, hex, short, full-width digits, percent signs) into the usual one.
 */
export function refuseAddress(url: URL): string | null {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'only http and https addresses can be read'
  if (url.username !== '' || url.password !== '') return 'an address may not carry a name or a password'
  if (!webPorts.has(url.port)) return `port ${url.port} is not one that web pages are served on`
  const host = bareHost(url.hostname)
  if (isIP(host) !== 0) return isPublicAddress(host) ? null : 'it is an address of this machine or of a private network'
  const labels = host.split('.')
  if (labels.includes('')) return 'its host is not a name'
  if (labels.length === 1 || innerNames.has(labels.at(-1) ?? '')) return 'its name belongs to this machine or to a private network'
  return null
}
