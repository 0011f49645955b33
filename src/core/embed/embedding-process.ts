import { SikuError } from '../../contract/errors.ts'
import { serveRpc } from '../work/work.ts'
import type { EmbeddingApi } from './embedding-api.ts'
import { createPassageWork } from './passage-work.ts'
import { openSession } from './session.ts'
import { loadTokenizer } from './tokenizer.ts'

interface Loaded extends ReturnType<typeof createPassageWork> {
  dimensions: number
}
let loading: Promise<Loaded> | null = null

async function load(folder: string, resourcesDir: string): Promise<Loaded> {
  const [session, tokenizer] = await Promise.all([openSession(folder), loadTokenizer(resourcesDir)])
  return { dimensions: session.dimensions, ...createPassageWork(session, tokenizer) }
}

function loaded(): Promise<Loaded> {
  return loading ?? Promise.reject(new SikuError('internal', 'the embedding process was not opened'))
}

const api: EmbeddingApi = {
  async open({ folder, resourcesDir }) {
    loading ??= load(folder, resourcesDir)
    return { dimensions: (await loading).dimensions }
  },
  passages: async ({ inputs }, context) => (await loaded()).passages(inputs, context),
  question: async ({ text }) => (await loaded()).question(text),
}
serveRpc(api)
