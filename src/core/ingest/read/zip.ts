import { crc32 } from 'node:zlib'
import { fromBuffer, type Entry, type ZipFile } from 'yauzl'
import { savedEntries, unpacked, type SavedEntry } from './zip-salvage.ts'

export interface ZipLimits {
  /** Entries that an archive may list. */
  maxEntries?: number
  /** Unpacked bytes of one entry, whatever it says of itself. */
  maxEntryBytes?: number
  /** Unpacked bytes of all entries that are read. */
  maxTotalBytes?: number
}

const defaults: Required<ZipLimits> = { maxEntries: 20_000, maxEntryBytes: 256 << 20, maxTotalBytes: 512 << 20 }

/** What is wrong with an archive: `damaged` bytes, `too-large` unpacked, `encrypted` entries. */
export class ZipProblem extends Error {
  readonly kind: 'damaged' | 'too-large' | 'encrypted'

  constructor(kind: ZipProblem['kind'], message: string) {
    super(message)
    this.name = 'ZipProblem'
    this.kind = kind
  }
}

/** The parts of a packed document. Nothing is ever written: names are only compared, never paths. */
export interface Zip {
  /** Names in the order of the archive, with forward slashes; of two entries of one name the last counts. */
  readonly names: readonly string[]
  has(name: string): boolean
  /** The unpacked bytes, of a damaged entry those before the damage; null when there is no such entry. Rejects with a ZipProblem. */
  bytes(name: string): Promise<Buffer | null>
  /** Something was lost, as far as is known by now. */
  readonly damaged: boolean
  close(): void
}

/**
 * Opens an archive that lies in memory. Sizes are counted as bytes come, so that an entry that lies about itself ends there. An
 * archive whose directory is lost gives the entries that are still in it.
 */
export async function openZip(data: Buffer, limits: ZipLimits = {}): Promise<Zip> {
  const all = { ...defaults, ...limits }
  let zip: ZipFile | null = null
  const entries = new Map<string, Entry>()
  try {
    zip = await open(data)
    await list(zip, entries, all.maxEntries)
  } catch (error) {
    zip?.close()
    if (!(error instanceof ZipProblem) || error.kind !== 'damaged') throw error
    const saved = savedEntries(data, all.maxEntries)
    if (saved.length === 0) throw error
    return salvagedZip(data, saved, createBudget(all))
  }
  const opened = zip
  const budget = createBudget(all)
  let isDamaged = false

  async function read(entry: Entry): Promise<Buffer> {
    if (entry.isEncrypted()) throw encrypted()
    const parts: Buffer[] = []
    budget.begin()
    try {
      const stream = await new Promise<NodeJS.ReadableStream & { destroy(): void }>((resolve, reject) => {
        opened.openReadStream(entry, (error, found) => (error === null ? resolve(found) : reject(damaged(error))))
      })
      try {
        for await (const part of stream as AsyncIterable<Buffer>) {
          budget.take(part.length)
          parts.push(part)
        }
      } finally {
        stream.destroy()
      }
    } catch (error) {
      if (error instanceof ZipProblem && error.kind !== 'damaged') throw error
      isDamaged = true
      return whatIsLeft(data, entry, budget)
    }
    const bytes = Buffer.concat(parts)
    // Some writers leave the sum out.
    if (entry.crc32 !== 0 && crc32(bytes) !== entry.crc32) isDamaged = true
    return bytes
  }

  return {
    names: [...entries.keys()],
    has: (name) => entries.has(name),
    bytes(name) {
      const entry = entries.get(name)
      return entry === undefined ? Promise.resolve(null) : read(entry)
    },
    get damaged() {
      return isDamaged
    },
    close: () => opened.close(),
  }
}

/** Counts unpacked bytes, of each entry and of all. */
function createBudget({ maxEntryBytes, maxTotalBytes }: Required<ZipLimits>) {
  let total = 0
  let size = 0
  return {
    begin: () => void (size = 0),
    left: () => Math.min(maxEntryBytes - size, maxTotalBytes - total),
    take(count: number) {
      size += count
      total += count
      if (size > maxEntryBytes || total > maxTotalBytes)
        throw new ZipProblem('too-large', 'Unpacked, the file is larger than what is read.')
    },
  }
}

type Budget = ReturnType<typeof createBudget>

async function bytesOf(data: Buffer, entry: SavedEntry, budget: Budget): Promise<Buffer> {
  if (entry.encrypted) throw encrypted()
  const packed = data.subarray(entry.start, entry.end)
  budget.begin()
  const bytes = entry.deflated ? await unpacked(packed, budget.left()) : packed
  budget.take(bytes?.length ?? Infinity)
  return bytes!
}

/** An entry that breaks off, by its own header. */
async function whatIsLeft(data: Buffer, entry: Entry, budget: Budget): Promise<Buffer> {
  const from = entry.relativeOffsetOfLocalHeader
  const [saved] = savedEntries(data.subarray(from, from + entry.compressedSize + (1 << 17)), 1)
  if (saved === undefined) return Buffer.alloc(0)
  const end = Math.min(data.length, from + saved.start + entry.compressedSize)
  return bytesOf(data, { ...saved, start: from + saved.start, end }, budget)
}

function salvagedZip(data: Buffer, saved: readonly SavedEntry[], budget: Budget): Zip {
  const entries = new Map<string, SavedEntry>()
  for (const entry of saved) {
    const name = partName(entry.name)
    if (!name.endsWith('/')) entries.set(name, entry)
  }
  return {
    names: [...entries.keys()],
    has: (name) => entries.has(name),
    async bytes(name) {
      const entry = entries.get(name)
      return entry === undefined ? null : bytesOf(data, entry, budget)
    },
    damaged: true,
    close: () => undefined,
  }
}

function encrypted(): ZipProblem {
  return new ZipProblem('encrypted', 'The file is encrypted.')
}

function damaged(cause: unknown): ZipProblem {
  const problem = new ZipProblem('damaged', cause instanceof Error ? cause.message : 'The archive is damaged.')
  problem.cause = cause
  return problem
}

function open(data: Buffer): Promise<ZipFile> {
  return new Promise((resolve, reject) => {
    // Names are decoded below: the library would refuse the whole archive for one odd name.
    fromBuffer(data, { lazyEntries: true, decodeStrings: false, validateEntrySizes: false, autoClose: false }, (error, zip) =>
      error === null ? resolve(zip) : reject(damaged(error)),
    )
  })
}

function list(zip: ZipFile, entries: Map<string, Entry>, maxEntries: number): Promise<void> {
  return new Promise((resolve, reject) => {
    let seen = 0
    zip.on('entry', (entry: Entry) => {
      seen += 1
      if (seen > maxEntries) {
        reject(new ZipProblem('too-large', 'The archive lists too many parts.'))
        return
      }
      const name = nameOf(entry)
      if (!name.endsWith('/')) entries.set(name, entry)
      zip.readEntry()
    })
    zip.on('end', () => resolve())
    zip.on('error', (error: unknown) => reject(damaged(error)))
    zip.readEntry()
  })
}

function nameOf(entry: Entry): string {
  const raw = entry.fileName as unknown as Buffer | string
  return typeof raw === 'string' ? raw : partName(raw)
}

/** UTF-8 when it is valid, else byte by byte: office formats name their parts in ASCII. */
function partName(raw: Buffer): string {
  const utf8 = raw.toString('utf8')
  return (utf8.includes('\uFFFD') ? raw.toString('latin1') : utf8).replaceAll('\\', '/')
}
