import { platform } from 'node:os'
import ignore, { type Ignore } from 'ignore'

/** Rule files, later ones in a directory going before earlier ones. */
export const ruleFiles = ['.gitignore', '.sikuignore'] as const

/** Larger files are no rule files: nobody writes a megabyte of rules by hand. */
export const ruleFileLimit = 1_000_000

/** Rules of one directory and, through `parent`, of those above it up to the folder's root. */
export interface RuleChain {
  parent: RuleChain | null
  /** The directory, relative to the folder's root: '' or 'a/b/'. */
  base: string
  rules: Ignore
}

export interface ScanRules {
  skipHidden: boolean
  skipDependencies: boolean
  /** The user's own rules for all folders, as in a .gitignore at each folder's root; rule files inside go before them. */
  ignoreRules: string[]
}

/** As git does where names differ by case only: the two desktop systems ignore case. */
const ignoreCase = platform() === 'win32' || platform() === 'darwin'

const longestRule = 1000
/** More would let one hostile rule hold the process on a long name. */
const mostWildcards = 8

/** A broken rule matches nothing; the rest of its file counts. */
function usable(line: string): boolean {
  if (line.trim() === '' || line.startsWith('#')) return false
  if (line.length > longestRule || line.split('*').length - 1 > mostWildcards) return false
  try {
    ignore({ ignorecase: ignoreCase }).add(line).ignores('name')
    return true
  } catch {
    return false
  }
}

export function addRules(parent: RuleChain | null, base: string, text: string): RuleChain | null {
  const lines = text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .filter(usable)
  if (lines.length === 0) return parent
  return { parent, base, rules: ignore({ ignorecase: ignoreCase }).add(lines) }
}

/** The nearest rule file that says anything decides. `path` is relative to the root, with `/`. */
export function isIgnored(chain: RuleChain | null, path: string, directory: boolean): boolean {
  for (let at = chain; at !== null; at = at.parent) {
    const local = path.slice(at.base.length)
    const result = at.rules.test(directory ? `${local}/` : local)
    if (result.ignored) return true
    if (result.unignored) return false
  }
  return false
}

const systemNames = new Set(['$recycle.bin', 'system volume information', 'thumbs.db', 'desktop.ini'])

export function isHidden(name: string): boolean {
  return name.startsWith('.') || systemNames.has(name.toLowerCase())
}

const dependencyNames = new Set([
  'node_modules',
  'bower_components',
  'jspm_packages',
  '__pycache__',
  'site-packages',
  'dist-packages',
  'elm-stuff',
])

/** Directories of other people's or of made files that are known by their name alone. */
export function isDependencyName(name: string): boolean {
  return dependencyNames.has(name)
}

/**
 * Directories that say by a file in them that they hold dependencies or a cache: a Python environment, a tagged cache (Cargo's
 * `target` has the tag), Go's and Composer's `vendor`, CocoaPods. A name such as `target` or `vendor` alone decides nothing.
 */
export function holdsDependencies(directoryName: string, entryNames: Iterable<string>): boolean {
  for (const name of entryNames) {
    if (name === 'pyvenv.cfg' || name === 'CACHEDIR.TAG') return true
    if (directoryName === 'vendor' && (name === 'modules.txt' || name === 'autoload.php')) return true
    if (directoryName === 'Pods' && name === 'Manifest.lock') return true
  }
  return false
}
