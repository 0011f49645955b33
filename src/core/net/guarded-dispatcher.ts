import { lookup } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import type * as Undici from 'undici'
import { SikuError } from '../../contract/errors.ts'
import type { Outside, ResolvedAddress } from '../deps.ts'
import { bareHost } from './address.ts'
import { isMadeUpAddress, isPublicAddress } from './public-address.ts'

export function systemResolve(host: string): Promise<ResolvedAddress[]> {
  return lookup(host, { all: true }) as Promise<ResolvedAddress[]>
}

/** Where a contact may go. One inner address among several public ones is a trick or a mistake, and refused as well. */
export async function resolvePublic(host: string, resolve: Outside['resolve']): Promise<ResolvedAddress[]> {
  const family = isIP(host)
  const addresses = family === 0 ? await resolve(host) : [{ address: host, family: family === 4 ? (4 as const) : (6 as const) }]
  const inner = addresses.find((each) => !isPublicAddress(each.address))
  if (addresses.length > 0 && inner === undefined) return addresses
  if (inner === undefined) throw new SikuError('network', `The name ${host} could not be found.`, { retryable: true })
  throw new SikuError('refused', `${host} was not contacted: it leads to an address of this machine or of a private network.`, {
    ...(isMadeUpAddress(inner.address)
      ? { hint: 'A proxy program answers names with made-up addresses here. Set it as HTTPS_PROXY, or turn its fake-IP mode off.' }
      : {}),
  })
}

/**
 * Connections that reach public addresses only. The name is resolved once, by the connection itself, and the addresses that
 * were checked are the ones that are tried: an answer that changes between a check and its use has nothing to change.
 * Connections are not kept, so that each contact is checked by itself.
 */
export function guardedDispatcher(library: typeof Undici, outside: Outside, connectTimeoutMs: number): Undici.Dispatcher {
  const open = (options: Undici.buildConnector.Options, addresses: ResolvedAddress[], callback: Undici.buildConnector.Callback): void => {
    if (outside.connect !== undefined) {
      const port = Number(options.port) || (options.protocol === 'https:' ? 443 : 80)
      const socket = outside.connect({ host: options.hostname, port, addresses })
      socket.once('connect', () => callback(null, socket)).once('error', (error) => callback(error, null))
      return
    }
    const checked: LookupFunction = (_name, wanted, answer) => {
      if (wanted.all === true) answer(null, addresses)
      else answer(null, addresses[0]?.address ?? '', addresses[0]?.family ?? 4)
    }
    const connect = library.buildConnector({
      timeout: connectTimeoutMs,
      lookup: checked,
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: 250,
    })
    connect(options, callback)
  }
  return new library.Agent({
    pipelining: 0,
    headersTimeout: 0,
    bodyTimeout: 0,
    allowH2: false,
    connect: (options, callback) => {
      resolvePublic(bareHost(options.hostname), outside.resolve)
        .then((addresses) => open(options, addresses, callback))
        .catch((error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), null))
    },
  })
}
