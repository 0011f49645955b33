import { statfs } from 'node:fs/promises'
import { counted } from '../../contract/counted.ts'
import type { Folder } from '../../contract/library.ts'
import type { ModelsState } from '../../contract/models.ts'
import type { DoctorReport, Finding, Settings } from '../../contract/settings.ts'

/** What the doctor looks at: each probe is asked for at the time of the examination. */
export interface Examined {
  dataDir: string
  readOnly: boolean
  secretsKind: 'keyring' | 'owner-file' | 'plain-file'
  settings: Settings
  folders: Folder[]
  vectorIndex: 'hnsw' | 'exact' | 'rebuilding'
  hnswAvailable: boolean
  models: ModelsState
  /** Damaged databases that were moved out of the way and lie beside the library's. */
  setAside: string[]
  /** Empty when the database passes its integrity check. */
  integrityProblems: () => Promise<string[]>
  /** Rejects with the reason when the embedding model cannot be used. */
  tryEmbedding: () => Promise<void>
}

/** Below this the next large document may not fit. */
const scarceBytes = 500_000_000

export async function examine(examined: Examined): Promise<DoctorReport> {
  const findings = (
    await Promise.all([
      examineStore(examined),
      examineSpace(examined.dataDir),
      examineEmbedding(examined),
      Promise.resolve(examineIndex(examined)),
      Promise.resolve(examineProviders(examined)),
      Promise.resolve(examineFolders(examined.folders)),
      Promise.resolve(examineSecrets(examined)),
    ])
  ).flat()
  return { ok: findings.every((finding) => finding.level !== 'error'), findings }
}

async function examineStore({ integrityProblems, setAside, readOnly, dataDir }: Examined): Promise<Finding[]> {
  const problems = await integrityProblems().catch((error: unknown) => [String(error)])
  const store: Finding =
    problems.length === 0
      ? { code: 'store-ok', level: 'ok', message: `The library's database is sound (${dataDir}).`, remedy: null }
      : {
          code: 'store-damaged',
          level: 'error',
          message: `The library's database is damaged: ${problems.slice(0, 3).join('; ')}`,
          remedy: 'Close Siku, keep a copy of the data directory, and put back the newest file of its backups folder as siku.db.',
        }
  const aside = setAside.map((path): Finding => ({
    code: 'store-set-aside',
    level: 'warning',
    message: `A damaged library was set aside as ${path}; this one was begun anew after that.`,
    remedy:
      'Restore the newest file of the backups folder, or index your folders again. Remove the set-aside file when you no longer need it.',
  }))
  const stores = [store, ...aside]
  if (!readOnly) return stores
  const reading: Finding = {
    code: 'read-only',
    level: 'warning',
    message: 'The library is open for reading only.',
    remedy: 'Close the other Siku that holds it, or make the data directory writable.',
  }
  return [...stores, reading]
}

async function examineSpace(dataDir: string): Promise<Finding[]> {
  const space = await statfs(dataDir).catch(() => null)
  if (space === null) return []
  const freeBytes = space.bavail * space.bsize
  if (freeBytes >= scarceBytes) return []
  return [
    {
      code: 'disk-low',
      level: 'warning',
      message: `Only ${Math.round(freeBytes / 1e6)} MB are free where the library lies.`,
      remedy: 'Free some space, or move the library with --home or SIKU_HOME.',
    },
  ]
}

async function examineEmbedding({ tryEmbedding, models }: Examined): Promise<Finding[]> {
  try {
    await tryEmbedding()
    return [{ code: 'embedding-ok', level: 'ok', message: `The embedding model answers (${models.embedding.key}).`, remedy: null }]
  } catch (error) {
    return [
      {
        code: 'embedding-failed',
        level: 'error',
        message: `The embedding model does not answer: ${error instanceof Error ? error.message : String(error)}`,
        remedy: 'Search goes by keyword meanwhile. Choose the built-in model in Settings, or install Siku again if it is the built-in one.',
      },
    ]
  }
}

function examineIndex({ hnswAvailable, vectorIndex }: Examined): Finding[] {
  if (!hnswAvailable) {
    return [
      {
        code: 'hnsw-missing',
        level: 'warning',
        message:
          'The vector index (hnswlib-node) could not be compiled here: every vector is scanned exactly, which is right but slower in a large library.',
        remedy: 'Install a C++ compiler and Python, then run: npm rebuild hnswlib-node',
      },
    ]
  }
  if (vectorIndex === 'rebuilding') {
    return [
      {
        code: 'index-rebuilding',
        level: 'info',
        message: 'The vector index is being rebuilt from the library; search scans exactly meanwhile.',
        remedy: null,
      },
    ]
  }
  return [{ code: 'hnsw-ok', level: 'ok', message: 'The vector index works.', remedy: null }]
}

function examineProviders({ models, settings }: Examined): Finding[] {
  const findings = models.providers.map((state): Finding => {
    const { provider, reachable, version, error, models: offered } = state
    if (reachable) {
      const level = offered.length === 0 ? 'warning' : 'ok'
      return {
        code: level === 'ok' ? 'provider-ok' : 'provider-empty',
        level,
        message: `${provider.name} answers${version === null ? '' : ` (version ${version})`} and offers ${offered.length} models.`,
        remedy: level === 'ok' ? null : 'Get a model, for instance: siku pull qwen3:4b',
      }
    }
    return {
      code: 'provider-unreachable',
      level: 'warning',
      message: `${provider.name} does not answer: ${error?.message ?? 'unknown reason'}`,
      remedy: error?.hint ?? 'Until then Siku answers with extracts from your documents.',
    }
  })
  const offline: Finding[] = settings.offline
    ? [{ code: 'offline', level: 'info', message: 'The offline switch is on: nothing but this computer is contacted.', remedy: null }]
    : []
  return [...findings, ...offline]
}

function examineFolders(folders: Folder[]): Finding[] {
  return folders.flatMap((folder): Finding[] => {
    const unreachable: Finding[] =
      folder.state === 'unreachable'
        ? [
            {
              code: 'folder-unreachable',
              level: 'warning',
              message: `The folder ${folder.path} is not reachable${folder.unreachableSince === null ? '' : ` since ${minute(folder.unreachableSince)}`}. What was read of it is kept.`,
              remedy: 'Connect the drive again, or remove the folder from Siku.',
            },
          ]
        : []
    const failed: Finding[] =
      folder.counts.failed > 0
        ? [
            {
              code: 'documents-failed',
              level: 'info',
              message: `${counted(folder.counts.failed, 'document')} of ${folder.path} could not be read.`,
              remedy: 'siku documents lists each with its reason.',
            },
          ]
        : []
    return [...unreachable, ...failed]
  })
}

function examineSecrets({ secretsKind }: Examined): Finding[] {
  if (secretsKind !== 'plain-file') return []
  return [
    {
      code: 'secrets-plain',
      level: 'warning',
      message: 'This system has no keyring: keys are kept in a file that only your user can read.',
      remedy: 'Install and unlock a keyring (gnome-keyring or KWallet) and enter the keys again.',
    },
  ]
}

/** Local time. */
function minute(at: number): string {
  const local = new Date(at - new Date(at).getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 16).replace('T', ' ')
}
