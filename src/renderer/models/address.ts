import type { Provider } from '../../contract/models.ts'

/** Whether something can be the address of a provider: http or https, for Ollama also a host with or without a port. */
export function isAddress(text: string, kind: Provider['kind']): boolean {
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text)
  if (!hasScheme && kind !== 'ollama') return false
  if (/\s/.test(text)) return false
  const url = URL.parse(hasScheme ? text : `http://${text}`)
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return false
  return (
    url.username === '' &&
    url.search === '' &&
    url.hash === '' &&
    /^(?:\[[\da-f:.]+\]|[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*\.?)$/iu.test(url.hostname)
  )
}
