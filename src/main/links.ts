export interface Link {
  address: string
  host: string
}

/** A link that may go to the system's browser: http(s), to a named host, without a name or password in it. */
export function linkToOpen(address: string): Link | null {
  if (!URL.canParse(address)) return null
  const url = new URL(address)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null
  if (url.username !== '' || url.password !== '' || url.hostname === '') return null
  return { address: url.href, host: url.host }
}
