import { lstatSync, readdirSync, readFileSync, realpathSync, statSync, type Dirent } from 'node:fs'
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
import { isDanglingLink, isLinkLoop, isPlaceholder, isPlaceholderName } from './read/file.ts'

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
}

export type ScanEvent =
  | { type: 'files'; files: FoundFile[] }
  /** `unseen`: what could not be looked at, so that nothing is known about it and what is below. `empty`: the root shows nothing at all. `device`: what it lies on. `changedMs`: when the directory that was changed last was. */
  | { type: 'end'; leftOut: LeftOut; unseen: string[]; empty: boolean; device: string; changedMs: number }
  | { type: 'unreachable'; message: string }

interface Directory {
  path: string
  /** Relative to the root: '' or 'a/b/'. */
  relative: string
  rules: RuleChain | null
  /** All of it, or only what leads to `only`. */
  whole: boolean
}

interface Link {
  path: string
  relative: string
  rules: RuleChain | null
}

const batchFiles = 1000

/** There is nothing at the path; any other error says nothing about what is there. */
export function isGone(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : ''
  return code === 'ENOENT' || code === 'ENOTDIR'
}

/** Whether `path` is `directory` or lies below it. */
export function isWithin(path: string, directory: string): boolean {
  if (path === directory) return true
  return path.startsWith(directory.endsWith(sep) ? directory : directory + sep)
}

function readRules(directory: Directory, names: ReadonlySet<string>): RuleChain | null {
  let text = ''
  for (const name of ruleFiles) {
    if (!names.has(name)) continue
    try {
      const content = readFileSync(join(directory.path, name), 'utf8')
      if (content.length <= ruleFileLimit) text += `${content}\n`
    } catch {
      // A rule file that can't be read rules nothing.
    }
  }
  return text === '' ? directory.rules : addRules(directory.rules, directory.relative, text)
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
 * Walks a folder, a part at a time, in a thread that may be kept waiting by a slow or hung disk. Links are followed when they
 * lead outside, after all else; what they lead to inside has its own path. Each directory is visited once, so no loop is walked
 * twice. What is no regular file, a link to nothing and a link to a directory that holds the link are given as files without
 * bytes, never opened, for the reader to say why. A placeholder of a cloud drive has no bytes either: once it is downloaded its
 * size differs. Order is not promised.
 */
export function* scanFolder(options: ScanOptions): Generator<ScanEvent> {
  const { root, rules, otherRoots, only } = options
  const leftOut: LeftOut = { hidden: 0, dependencies: 0, ignored: 0, links: 0, unreadable: 0 }
  const unseen: string[] = []
  const leading = only === undefined || only.has(root) ? null : leadingDirectories(root, only)
  const visited = new Set<string>()
  const linkedFiles = new Set<string>()
  const links: Link[] = []
  const files: FoundFile[] = []

  let realRoot: string
  let empty = false
  let device: string
  let changedMs = 0
  try {
    const stats = statSync(root)
    device = String(stats.dev)
    realRoot = realpathSync(root)
    if (stats.isFile()) {
      yield { type: 'files', files: [{ path: root, sizeBytes: stats.size, modifiedMs: stats.mtimeMs }] }
      yield { type: 'end', leftOut, unseen, empty, device, changedMs }
      return
    }
    if (!stats.isDirectory()) {
      yield { type: 'unreachable', message: `${root} is neither a folder nor a file` }
      return
    }
    empty = readdirSync(root).length === 0
  } catch (error) {
    yield { type: 'unreachable', message: error instanceof Error ? error.message : String(error) }
    return
  }

  const base = rules.ignoreRules.length > 0 ? addRules(null, '', rules.ignoreRules.join('\n')) : null
  const directories: Directory[] = [{ path: root, relative: '', rules: base, whole: leading === null }]

  function notSeen(path: string, error: unknown): void {
    if (isGone(error)) return
    leftOut.unreadable += 1
    unseen.push(path)
  }

  function enter(directory: Directory): Dirent[] | null {
    try {
      const { dev, ino, ctimeMs } = statSync(directory.path, { bigint: true })
      changedMs = Math.max(changedMs, Number(ctimeMs))
      const identity = `${dev}:${ino}`
      if (visited.has(identity)) {
        leftOut.links += 1
        return null
      }
      visited.add(identity)
      return readdirSync(directory.path, { withFileTypes: true })
    } catch (error) {
      notSeen(directory.path, error)
      return null
    }
  }

  /** Whether an entry is left out by its name; what others own is passed over without a count. */
  function leaveOut(name: string, path: string, relative: string, directory: boolean, chain: RuleChain | null): boolean {
    if (otherRoots.has(path)) return true
    if (rules.skipHidden && isHidden(name) && !isPlaceholderName(name)) leftOut.hidden += 1
    else if (directory && rules.skipDependencies && isDependencyName(name)) leftOut.dependencies += 1
    else if (isIgnored(chain, relative, directory)) leftOut.ignored += 1
    else return false
    return true
  }

  function addFile(path: string): void {
    try {
      const stats = statSync(path)
      const sizeBytes = stats.isFile() && !isPlaceholder(path, stats) ? stats.size : 0
      files.push({ path, sizeBytes, modifiedMs: stats.mtimeMs })
    } catch (error) {
      notSeen(path, error)
    }
  }

  function* walk(): Generator<ScanEvent> {
    for (let directory = directories.pop(); directory !== undefined; directory = directories.pop()) {
      const entries = enter(directory)
      if (entries === null) continue
      const names = new Set(entries.map((entry) => entry.name))
      if (directory.path !== root && rules.skipDependencies && holdsDependencies(basename(directory.path), names)) {
        leftOut.dependencies += 1
        continue
      }
      const chain = readRules(directory, names)
      const before = directory.path.endsWith(sep) ? directory.path : directory.path + sep
      for (const entry of entries) {
        const { name } = entry
        const path = before + name
        const asked = directory.whole || only!.has(path)
        if (!asked && !leading!.has(path)) continue
        const relative = directory.relative + name
        const isDirectory = entry.isDirectory()
        if (leaveOut(name, path, relative, isDirectory, chain)) continue
        if (isDirectory) directories.push({ path, relative: `${relative}/`, rules: chain, whole: asked })
        else if (entry.isSymbolicLink()) links.push({ path, relative, rules: chain })
        else if (!asked) continue
        else addFile(path)
        if (files.length >= batchFiles) yield { type: 'files', files: files.splice(0) }
      }
    }
  }

  function addLink(path: string): void {
    try {
      files.push({ path, sizeBytes: 0, modifiedMs: lstatSync(path).mtimeMs })
    } catch (error) {
      notSeen(path, error)
    }
  }

  function follow(link: Link): void {
    if (isLinkLoop(link.path) || isDanglingLink(link.path)) return addLink(link.path)
    try {
      const target = realpathSync(link.path)
      const stats = statSync(target)
      if (isWithin(target, realRoot)) leftOut.links += 1
      else if (stats.isDirectory()) {
        if (rules.skipDependencies && isDependencyName(basename(link.path))) leftOut.dependencies += 1
        else if (isIgnored(link.rules, link.relative, true)) leftOut.ignored += 1
        else directories.push({ ...link, relative: `${link.relative}/`, whole: leading === null || only!.has(link.path) })
      } else if (linkedFiles.has(target)) leftOut.links += 1
      else {
        linkedFiles.add(target)
        addFile(link.path)
      }
    } catch {
      leftOut.links += 1
    }
  }

  for (;;) {
    yield* walk()
    const link = links.shift()
    if (link === undefined) break
    follow(link)
  }
  if (files.length > 0) yield { type: 'files', files }
  yield { type: 'end', leftOut, unseen, empty, device, changedMs }
}
