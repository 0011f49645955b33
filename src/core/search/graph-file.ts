import { open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { z } from 'zod'
import { languageSchema, type Language } from '../../contract/library.ts'
import { searchEf, type HnswLibrary, type LanguageGraph } from './hnsw.ts'

/**
 * What says that a graph's file is whole and which state of the store it holds. Written after the graph's file is safely on
 * disk, under a name of its own, so that a kill at any moment leaves either the old pair or the new one.
 */
const stampSchema = z.object({
  version: z.literal(1),
  modelKey: z.string(),
  dimensions: z.number().int().positive(),
  language: languageSchema,
  /** The last row of vector_changes that the graph holds. */
  seq: z.number().int(),
  count: z.number().int(),
  deleted: z.number().int(),
  frozenAt: z.number().int(),
  file: z.string().regex(/^[\w.-]+$/),
  sizeBytes: z.number().int(),
  checksum: z.number().int(),
  frozenMean: z.string(),
})
type Stamp = z.infer<typeof stampSchema>

export interface GraphIdentity {
  modelId: number
  modelKey: string
  dimensions: number
  language: Language
}

export type LoadedGraph = { kind: 'ok'; graph: LanguageGraph; seq: number } | { kind: 'missing' } | { kind: 'unusable'; why: string }

const pieceBytes = 4 * 1024 * 1024

function stampName(identity: GraphIdentity): string {
  return `${identity.modelId}-${identity.language}.json`
}

/** The graph must not be changed while this runs; it may be searched. */
export async function saveGraph(directory: string, identity: GraphIdentity, graph: LanguageGraph, seq: number): Promise<void> {
  const file = `${identity.modelId}-${identity.language}-${seq}.hnsw`
  const temporary = join(directory, `${file}.tmp`)
  // At one go: a native call that is awaited while the thread ends takes the process down. Some 0.1 s for 100,000 vectors.
  graph.graph.writeIndexSync(temporary)
  const { sizeBytes, checksum } = await checksumOf(temporary, true)
  await rename(temporary, join(directory, file))
  const mean = graph.frozenMean
  const stamp: Stamp = {
    version: 1,
    modelKey: identity.modelKey,
    dimensions: identity.dimensions,
    language: identity.language,
    seq,
    count: graph.labels.size,
    deleted: graph.deleted,
    frozenAt: graph.frozenAt,
    file,
    sizeBytes,
    checksum,
    frozenMean: Buffer.from(mean.buffer, mean.byteOffset, mean.byteLength).toString('base64'),
  }
  const stampPath = join(directory, stampName(identity))
  const body = JSON.stringify(stamp)
  await writeSynced(`${stampPath}.tmp`, JSON.stringify({ body, checksum: crc32(body) }))
  await rename(`${stampPath}.tmp`, stampPath)
  await syncDirectory(directory)
  await removeOthers(directory, identity, file)
}

export async function loadGraph(directory: string, identity: GraphIdentity, library: HnswLibrary, lastSeq: number): Promise<LoadedGraph> {
  const text = await readFile(join(directory, stampName(identity)), 'utf8').catch(() => null)
  if (text === null) return { kind: 'missing' }
  const stamp = parseStamp(text)
  if (!stamp) return { kind: 'unusable', why: 'its stamp is damaged' }
  if (stamp.modelKey !== identity.modelKey || stamp.dimensions !== identity.dimensions)
    return { kind: 'unusable', why: 'it is of another model' }
  if (stamp.seq > lastSeq) return { kind: 'unusable', why: 'it is ahead of the store' }
  const path = join(directory, stamp.file)
  const found = await checksumOf(path, false).catch(() => null)
  if (!found) return { kind: 'missing' }
  if (found.sizeBytes !== stamp.sizeBytes || found.checksum !== stamp.checksum) return { kind: 'unusable', why: 'its checksum is wrong' }
  const bytes = Buffer.from(stamp.frozenMean, 'base64')
  if (bytes.byteLength !== stamp.dimensions * 4) return { kind: 'unusable', why: 'its stamp is damaged' }
  const graph = new library.HierarchicalNSW('ip', identity.dimensions)
  try {
    graph.readIndexSync(path)
  } catch {
    return { kind: 'unusable', why: 'it could not be read' }
  }
  graph.setEf(searchEf)
  const all = graph.getIdsList()
  if (all.length !== stamp.count + stamp.deleted) return { kind: 'unusable', why: 'it holds another number of vectors' }
  const frozenMean = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength))
  return {
    kind: 'ok',
    graph: { graph, frozenMean, labels: new Set(all), frozenAt: stamp.frozenAt, deleted: stamp.deleted },
    seq: stamp.seq,
  }
}

function parseStamp(text: string): Stamp | null {
  try {
    const outer = z.object({ body: z.string(), checksum: z.number() }).parse(JSON.parse(text))
    return crc32(outer.body) === outer.checksum ? stampSchema.parse(JSON.parse(outer.body)) : null
  } catch {
    return null
  }
}

async function checksumOf(path: string, sync: boolean): Promise<{ sizeBytes: number; checksum: number }> {
  const handle = await open(path, sync ? 'r+' : 'r')
  try {
    const piece = Buffer.allocUnsafe(pieceBytes)
    let sizeBytes = 0
    let checksum = 0
    for (;;) {
      const { bytesRead } = await handle.read(piece, 0, pieceBytes, null)
      if (bytesRead === 0) break
      checksum = crc32(piece.subarray(0, bytesRead), checksum)
      sizeBytes += bytesRead
    }
    if (sync) await handle.sync()
    return { sizeBytes, checksum }
  } finally {
    await handle.close()
  }
}

async function writeSynced(path: string, text: string): Promise<void> {
  const handle = await open(path, 'w', 0o600)
  try {
    await writeFile(handle, text)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** So that the renames themselves are on disk; Windows has no such thing. */
async function syncDirectory(directory: string): Promise<void> {
  try {
    const handle = await open(directory, 'r')
    await handle.sync().finally(() => handle.close())
  } catch {
    return
  }
}

async function removeOthers(directory: string, identity: GraphIdentity, keep: string): Promise<void> {
  const prefix = `${identity.modelId}-${identity.language}-`
  for (const name of await readdir(directory)) {
    if (name.startsWith(prefix) && name !== keep) await rm(join(directory, name), { force: true })
  }
}
