import { implement } from '@orpc/server'
import { contract } from '../../contract/contract.ts'
import type { Client } from '../core.ts'

type Call = (input: unknown, options: { signal?: AbortSignal }) => Promise<unknown>
interface Procedure {
  handler(handle: (options: { input: unknown; signal?: AbortSignal }) => Promise<unknown>): unknown
}

/** The contract's router over somebody else's core: each call is passed on as it is, with its signal; errors keep their codes. */
export function forwardingRouter(client: Client) {
  const implementer = implement(contract)
  const procedures = implementer as unknown as Record<string, Record<string, Procedure>>
  const calls = client as unknown as Record<string, Record<string, Call>>
  const router = Object.fromEntries(
    Object.entries(contract).map(([group, members]) => [
      group,
      Object.fromEntries(
        Object.keys(members).map((name) => [
          name,
          procedures[group]![name]!.handler(({ input, signal }) => calls[group]![name]!(input, signal === undefined ? {} : { signal })),
        ]),
      ),
    ]),
  )
  return implementer.router(router as unknown as Parameters<typeof implementer.router>[0])
}
