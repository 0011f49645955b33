/** The entry of the sandbox thread: code that a model wrote, in an interpreter of its own that knows nothing of this machine. */
import { serveRpc, type CallContext } from '../work/work.ts'
import { runInSandbox, type SandboxLimits, type SandboxResult } from './sandbox-run.ts'

export interface SandboxApi {
  run(input: { code: string; limits: SandboxLimits }, context: CallContext): Promise<SandboxResult>
}

serveRpc<SandboxApi>({ run: ({ code, limits }) => runInSandbox(code, limits) })
