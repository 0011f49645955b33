import { fromBuffer, type Entry, type ZipFile } from 'yauzl'

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
  /** The unpacked bytes; null when there is no such entry. Rejects with a ZipProblem. */
  bytes(name: string): Promise<Buffer | null>
  close(): void
}

/** Opens an archive that lies in memory. Sizes are counted as bytes come, so that an entry that lies about itself ends there. */
export async function openZip(data: Buffer, limits: ZipLimits = {}): Promise<Zip> {
  const { maxEntries, maxEntryBytes, maxTotalBytes } = { ...defaults, ...limits }
  const zip = await open(data)
  const entries = new Map<string, Entry>()
  try {
    await list(zip, entries, maxEntries)
  } catch (error) {
    zip.close()
    throw error
  }
  let total = 0

  async function read(entry: Entry): Promise<Buffer> {
    if (entry.isEncrypted()) throw new ZipProblem('encrypted', 'The file is encrypted.')
    const stream = await new Promise<NodeJS.ReadableStream & { destroy(): void }>((resolve, reject) => {
      zip.openReadStream(entry, (error, opened) => (error === null ? resolve(opened) : reject(damaged(error))))
    })
    const parts: Buffer[] = []
    let size = 0
    try {
      for await (const part of stream as AsyncIterable<Buffer>) {
        size += part.length
        total += part.length
        if (size > maxEntryBytes || total > maxTotalBytes)
          throw new ZipProblem('too-large', 'Unpacked, the file is larger than what is read.')
        parts.push(part)
      }
    } catch (error) {
      throw error instanceof ZipProblem ? error : damaged(error)
    } finally {
      stream.destroy()
    }
    return Buffer.concat(parts)
  }

  return {
    names: [...entries.keys()],
    has: (name) => entries.has(name),
    bytes(name) {
      const entry = entries.get(name)
      return entry === undefined ? Promise.resolve(null) : read(entry)
    },
    close: () => zip.close(),
  }
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

/** UTF-8 when it is valid, else byte by byte: office formats name their parts in ASCII. */
function nameOf(entry: Entry): string {
  const raw = entry.fileName as unknown as Buffer | string
  if (typeof raw === 'string') return raw
  const utf8 = raw.toString('utf8')
  return (utf8.includes('\uFFFD') ? raw.toString('latin1') : utf8).replaceAll('\\', '/')
}
