import { readdir, readFile, realpath, stat as statPromise } from 'node:fs/promises'
import { stat, type Dirent, type Stats } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'
import type { LeftOut } from '../../contract/library.ts'
import {
  addRules,
  holdsDependencies,
  isDependencyName,
  isHidden,
  isIgnored,
  ruleFileLimit,
  ruleFiles,
  type RuleChain,
  type ScanRules,
} from './ignore.ts'

export interface FoundFile {
  path: string
  sizeBytes: number
  modifiedMs: number
}

export interface ScanOptions {
  root: string
  rules: ScanRules
  /** Roots of other folders: what lies there belongs to them. */
  otherRoots: ReadonlySet<string>
  /** Only these files and directories, as absolute paths below the root; left out: everything. */
  only?: ReadonlySet<string>
  signal?: AbortSignal
}

export type ScanEvent =
  | { type: 'files'; files: FoundFile[] }
  /** `unseen`: directories that could not be listed, so that nothing is known about what is below them. */
  | { type: 'end'; leftOut: LeftOut; unseen: string[] }
  | { type: 'unreachable'; message: string }

interface Directory {
  path: string
  /** Relative to the root: '' or 'a/b/'. */
  relative: string
  rules: RuleChain | null
  /** All of it, or only what leads to `only`. */
  whole: boolean
}

/** Enough to keep the system's file threads busy, few enough that their answers never hold the event loop for long. */
const statBatch = 128

function errno(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

function isGone(error: unknown): boolean {
  const code = errno(error)
  return code === 'ENOENT' || code === 'ENOTDIR'
}

/** Plain callbacks: promises for each file cost four times as much. */
function statAll(paths: string[]): Promise<(Stats | NodeJS.ErrnoException)[]> {
  return new Promise((resolve) => {
    const results = new Array<Stats | NodeJS.ErrnoException>(paths.length)
    let left = paths.length
    if (left === 0) resolve(results)
    paths.forEach((path, index) => {
      stat(path, (error, stats) => {
        results[index] = error ?? stats
        left -= 1
        if (left === 0) resolve(results)
      })
    })
  })
}

/** Whether `path` is `directory` or lies below it. */
export function isWithin(path: string, directory: string): boolean {
  if (path === directory) return true
  return path.startsWith(directory.endsWith(sep) ? directory : directory + sep)
}

/** Where an unplugged drive leaves its empty mount point behind. */
const mountPlaces = ['/mnt/', '/media/', '/run/media/', '/Volumes/']

export function mayBeMountPoint(root: string): boolean {
  return mountPlaces.some((place) => root.startsWith(place))
}

async function readRules(directory: Directory, names: ReadonlySet<string>): Promise<RuleChain | null> {
  let chain = directory.rules
  let text = ''
  for (const name of ruleFiles) {
    if (!names.has(name)) continue
    const content = await readFile(join(directory.path, name), 'utf8').catch(() => '')
    if (content.length <= ruleFileLimit) text += `${content}\n`
  }
  if (text !== '') chain = addRules(chain, directory.relative, text)
  return chain
}

/** Directories on the way to what is asked for: they are listed, but only what leads on is looked at. */
function leadingDirectories(root: string, only: ReadonlySet<string>): Set<string> {
  const leading = new Set<string>()
  for (const path of only) {
    for (let at = dirname(path); isWithin(at, root) && !leading.has(at); at = dirname(at)) leading.add(at)
  }
  return leading
}

/**
 * Walks a folder without holding the event loop: directories one after the other, the files of each in batches. Links are
 * followed when they lead outside, after all else; what they lead to inside has its own path. Each directory is visited once,
 * and a link to one that holds the folder itself is left out, so no loop is walked twice. Order is not promised.
 */
export async function* scanFolder(options: ScanOptions): AsyncGenerator<ScanEvent> {
  const { root, rules, otherRoots, only, signal } = options
  const leftOut: LeftOut = { hidden: 0, dependencies: 0, ignored: 0, links: 0, special: 0, unreadable: 0 }
  const unseen: string[] = []
  const leading = only === undefined || only.has(root) ? null : leadingDirectories(root, only)
  const visited = new Set<string>()
  const linkedFiles: string[] = []
  const links: { path: string; relative: string; rules: RuleChain | null }[] = []
  const foundThroughNames = new Set<string>()
  const directories: Directory[] = []

  let realRoot: string
  try {
    const stats = await statPromise(root)
    realRoot = await realpath(root)
    if (stats.isFile()) {
      yield { type: 'files', files: [{ path: root, sizeBytes: stats.size, modifiedMs: stats.mtimeMs }] }
      yield { type: 'end', leftOut, unseen }
      return
    }
    if (!stats.isDirectory()) {
      yield { type: 'unreachable', message: `${root} is neither a folder nor a file` }
      return
    }
    await readdir(root)
  } catch (error) {
    yield { type: 'unreachable', message: error instanceof Error ? error.message : String(error) }
    return
  }

  const base = rules.ignoreRules.length > 0 ? addRules(null, '', rules.ignoreRules.join('\n')) : null
  directories.push({ path: root, relative: '', rules: base, whole: leading === null })

  async function enter(directory: Directory): Promise<Dirent[] | null> {
    try {
      const stats = await statPromise(directory.path, { bigint: true })
      const identity = `${stats.dev}:${stats.ino}`
      if (visited.has(identity)) {
        leftOut.links += 1
        return null
      }
      visited.add(identity)
      return await readdir(directory.path, { withFileTypes: true })
    } catch (error) {
      if (!isGone(error)) {
        leftOut.unreadable += 1
        unseen.push(directory.path)
      }
      return null
    }
  }

  /** Whether an entry is left out by its name; a directory that others own is passed over without a count. */
  function leaveOut(name: string, path: string, relative: string, directory: boolean, chain: RuleChain | null): boolean {
    if (otherRoots.has(path)) return true
    if (rules.skipHidden && isHidden(name)) leftOut.hidden += 1
    else if (directory && rules.skipDependencies && isDependencyName(name)) leftOut.dependencies += 1
    else if (isIgnored(chain, relative, directory)) leftOut.ignored += 1
    else return false
    return true
  }

  async function statFiles(paths: string[]): Promise<FoundFile[]> {
    const files: FoundFile[] = []
    const results = await statAll(paths)
    results.forEach((result, index) => {
      if (result instanceof Error) {
        if (!isGone(result)) leftOut.unreadable += 1
        // What can't be looked at is not gone.
        if (!isGone(result)) unseen.push(paths[index]!)
      } else if (result.isFile()) {
        files.push({ path: paths[index]!, sizeBytes: result.size, modifiedMs: result.mtimeMs })
      } else leftOut.special += 1
    })
    return files
  }

  async function* walk(): AsyncGenerator<FoundFile[]> {
    for (let directory = directories.pop(); directory !== undefined; directory = directories.pop()) {
      signal?.throwIfAborted()
      const entries = await enter(directory)
      if (entries === null) continue
      const names = new Set(entries.map((entry) => entry.name))
      if (directory.path !== root && rules.skipDependencies && holdsDependencies(basename(directory.path), names)) {
        leftOut.dependencies += 1
        continue
      }
      const chain = await readRules(directory, names)
      let batch: string[] = []
      for (const entry of entries) {
        const path = join(directory.path, entry.name)
        const relative = directory.relative + entry.name
        const asked = directory.whole || only!.has(path)
        if (!asked && !leading!.has(path)) continue
        const isDirectory = entry.isDirectory()
        if (leaveOut(entry.name, path, relative, isDirectory, chain)) continue
        if (isDirectory) directories.push({ path, relative: `${relative}/`, rules: chain, whole: asked })
        else if (entry.isSymbolicLink()) links.push({ path, relative, rules: chain })
        else if (!asked) continue
        else if (entry.isFile()) batch.push(path)
        else leftOut.special += 1
        if (batch.length >= statBatch) {
          yield await statFiles(batch)
          batch = []
        }
      }
      if (batch.length > 0) yield await statFiles(batch)
    }
  }

  /** A link's target, when it is something not seen yet. */
  async function follow(link: { path: string; relative: string; rules: RuleChain | null }): Promise<void> {
    try {
      const target = await realpath(link.path)
      const stats = await statPromise(target)
      if (stats.isDirectory()) {
        const parts = { path: link.path, relative: `${link.relative}/`, rules: link.rules }
        if (isWithin(realRoot, target) || isWithin(target, realRoot)) leftOut.links += 1
        else if (rules.skipDependencies && isDependencyName(basename(link.path))) leftOut.dependencies += 1
        else if (isIgnored(link.rules, link.relative, true)) leftOut.ignored += 1
        else directories.push({ ...parts, whole: leading === null || only!.has(link.path) })
      } else if (!stats.isFile()) leftOut.special += 1
      else if (isWithin(target, realRoot) || foundThroughNames.has(target)) leftOut.links += 1
      else {
        foundThroughNames.add(target)
        linkedFiles.push(link.path)
      }
    } catch {
      leftOut.links += 1
    }
  }

  for (;;) {
    for await (const files of walk()) if (files.length > 0) yield { type: 'files', files }
    if (linkedFiles.length > 0) yield { type: 'files', files: await statFiles(linkedFiles.splice(0)) }
    const link = links.shift()
    if (link === undefined) break
    await follow(link)
  }
  yield { type: 'end', leftOut, unseen }
}
