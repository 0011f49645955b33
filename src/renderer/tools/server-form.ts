import type { McpServer } from '../../contract/tools.ts'
import { isAddress } from '../models/address.ts'

/** What is typed to add or change a server. Secrets are only ever written. */
export interface ServerForm {
  name: string
  kind: 'stdio' | 'http'
  command: string
  /** One a line, each exactly as the program gets it. */
  args: string
  address: string
  key: string
  /** Environment variables: `kept` ones lie in the secret store, and an empty value leaves them there. */
  variables: { name: string; value: string; kept: boolean }[]
}

export const blankForm: ServerForm = { name: '', kind: 'stdio', command: '', args: '', address: '', key: '', variables: [] }

export function formOf({ name, transport }: McpServer): ServerForm {
  if (transport.kind === 'http') return { ...blankForm, name, kind: 'http', address: transport.address }
  const { command, args, secretNames } = transport
  const variables = secretNames.map((each) => ({ name: each, value: '', kept: true }))
  return { ...blankForm, name, kind: 'stdio', command, args: args.join('\n'), variables }
}

export type FormProblem = 'name' | 'command' | 'address' | 'variable' | 'secretFar'

/** Whether a key may go to the address: over TLS, or without leaving this machine. */
function keepsSecrets(address: string): boolean {
  const url = URL.parse(address)
  return url?.protocol === 'https:' || /^(localhost|127(\.\d+){3}|\[::1\])$/i.test(url?.hostname ?? '')
}

/** The first thing that is not right yet; null when it can be tried and saved. */
export function problemIn(form: ServerForm, hasKey: boolean): FormProblem | null {
  if (form.name.trim() === '') return 'name'
  if (form.kind === 'http') {
    if (!isAddress(form.address.trim(), 'openai')) return 'address'
    return (form.key !== '' || hasKey) && !keepsSecrets(form.address.trim()) ? 'secretFar' : null
  }
  if (form.command.trim() === '') return 'command'
  const names = form.variables.map((each) => each.name.trim())
  const right = names.every((name) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) && new Set(names).size === names.length
  return right && form.variables.every((each) => each.kept || each.value !== '') ? null : 'variable'
}

/** An id that tools are named after: from the name where it has Latin letters. */
export function idFrom(name: string, taken: readonly string[], random: string): string {
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40)
  const base = slug === '' ? `server-${random}` : slug
  return taken.includes(base) ? `${base}-${random}` : base
}

/** What is saved, and the secrets that go with it: those typed, and '' for those given up. */
export function serverOf(
  form: ServerForm,
  before: McpServer | null,
  id: string,
): { server: McpServer; secrets: Record<string, string> | undefined } {
  const rest = { id, name: form.name.trim(), enabled: before?.enabled ?? true, pins: before?.pins ?? [] }
  if (form.kind === 'http') {
    const hasKey = form.key !== '' || (before?.transport.kind === 'http' && before.transport.hasKey)
    return {
      server: { ...rest, transport: { kind: 'http', address: form.address.trim(), hasKey } },
      secrets: form.key === '' ? undefined : { key: form.key },
    }
  }
  const names = form.variables.map((each) => each.name.trim())
  const earlier = before?.transport.kind === 'stdio' ? before.transport.secretNames : []
  const secrets: Record<string, string> = {}
  for (const name of earlier) if (!names.includes(name)) secrets[name] = ''
  for (const { name, value } of form.variables) if (value !== '') secrets[name.trim()] = value
  const args = form.args.split('\n').filter((line) => line !== '')
  return {
    server: { ...rest, transport: { kind: 'stdio', command: form.command.trim(), args, secretNames: names } },
    secrets: Object.keys(secrets).length === 0 ? undefined : secrets,
  }
}
