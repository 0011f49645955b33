import { bridge } from '../bridge.ts'
import { addPaths } from './library.ts'
import { go } from './route.ts'
import { useSettings } from './settings.ts'
import { reportProblem, showToast } from './toasts.ts'
import { beginUpload, endUpload, useUpload } from './upload.ts'
import { i18next } from '../words/words.ts'

interface Found {
  path: string
  file: File
}
const dependencyFolders = new Set(['node_modules', 'bower_components', '__pycache__', 'venv', '.venv', 'site-packages'])
const atOnce = 4

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject))
}

/** All entries of a directory: the browser gives them a hundred at a time. */
async function entriesOf(entry: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = entry.createReader()
  const all: FileSystemEntry[] = []
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (some.length === 0) return all
    all.push(...some)
  }
}

function leaveOut(name: string): boolean {
  const settings = useSettings.getState().settings
  return (name.startsWith('.') && settings?.skipHidden !== false) || (dependencyFolders.has(name) && settings?.skipDependencies !== false)
}

async function walk(entry: FileSystemEntry, path: string, found: Found[], signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  if (path !== entry.name && leaveOut(entry.name)) {
    useUpload.setState(({ leftOut }) => ({ leftOut: leftOut + 1 }))
    return
  }
  if (entry.isFile) {
    const file = await fileOf(entry as FileSystemFileEntry)
    found.push({ path, file })
    useUpload.setState(({ totalFiles, totalBytes }) => ({ totalFiles: totalFiles + 1, totalBytes: totalBytes + file.size }))
    return
  }
  for (const child of await entriesOf(entry as FileSystemDirectoryEntry)) await walk(child, `${path}/${child.name}`, found, signal)
}

async function send(dropId: string, found: Found[], signal: AbortSignal): Promise<void> {
  const queue = [...found]
  async function worker() {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const { file, path } = next
      const address = `drop/${dropId}?path=${encodeURIComponent(path)}`
      const response = await fetch(address, { method: 'POST', body: file, signal, headers: { 'content-type': 'application/octet-stream' } })
      if (!response.ok) throw new Error(`${path}: ${response.status}`)
      useUpload.setState(({ doneFiles, doneBytes }) => ({ doneFiles: doneFiles + 1, doneBytes: doneBytes + file.size }))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}

async function finish(dropId: string, name: string | null, signal: AbortSignal): Promise<string[]> {
  const response = await fetch(`drop/${dropId}/finish${name === null ? '' : `?name=${encodeURIComponent(name)}`}`, {
    method: 'POST',
    signal,
  })
  if (!response.ok) throw new Error(String(response.status))
  return ((await response.json()) as { paths: string[] }).paths
}

/** A browser cannot say where a file lies: its bytes are copied into the library's own place, and the user is told. */
async function copyIn(entries: FileSystemEntry[]): Promise<void> {
  const signal = beginUpload()
  try {
    const found: Found[] = []
    for (const entry of entries) await walk(entry, entry.name, found, signal)
    if (found.length === 0) {
      showToast({ text: i18next.t('library.nothingInDrop') })
      return
    }
    useUpload.setState({ phase: 'copying' })
    const dropId = crypto.randomUUID()
    await send(dropId, found, signal)
    const paths = await finish(dropId, entries.length === 1 ? (entries[0]?.name ?? null) : null, signal)
    await addPaths(paths, true)
  } catch (error) {
    if (!signal.aborted) reportProblem(error)
  } finally {
    endUpload()
  }
}

export async function receiveDrop(transfer: DataTransfer): Promise<void> {
  const host = bridge()
  if (host !== undefined) {
    const paths = host.pathsOf([...transfer.files]).filter((path) => path !== '')
    go('library')
    await addPaths(paths)
    return
  }
  // The list of a transfer is empty after this tick: the entries are taken now.
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry() ?? [])
  if (entries.length === 0) return
  go('library')
  await copyIn(entries)
}
