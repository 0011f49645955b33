import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { LeftOut } from '../../contract/library.ts'
import type { ScanRules } from './ignore.ts'
import { scanFolder, type ScanOptions } from './scan.ts'

let root: string
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'siku-scan-')))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const rules: ScanRules = { skipHidden: true, skipDependencies: true, ignoreRules: [] }

function write(files: Record<string, string>, base = root): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(base, name)), { recursive: true })
    writeFileSync(join(base, name), text)
  }
}

function scan(options: Partial<ScanOptions> = {}): { names: string[]; leftOut: Partial<LeftOut>; unseen: string[] } {
  const names: string[] = []
  for (const event of scanFolder({ root, rules, otherRoots: new Set(), ...options })) {
    if (event.type === 'files') names.push(...event.files.map(({ path }) => relative(options.root ?? root, path)))
    else if (event.type === 'unreachable') return { names: ['(unreachable)'], leftOut: {}, unseen: [] }
    else {
      const counts = Object.fromEntries(Object.entries(event.leftOut).filter(([, count]) => count > 0))
      return { names: names.sort(), leftOut: counts, unseen: event.unseen.map((path) => relative(root, path)) }
    }
  }
  throw new Error('no end')
}

test('hidden and dependency folders are left out and counted; a name alone condemns only clear cases', async () => {
  write({
    'a.md': '1',
    '.hidden/b.md': '1',
    '.secret.md': '1',
    'node_modules/c/d.md': '1',
    'app/__pycache__/e.md': '1',
    'env/pyvenv.cfg': '',
    'env/f.md': '1',
    'rust/target/CACHEDIR.TAG': '',
    'rust/target/g.md': '1',
    'target/h.md': '1',
    'vendor/i.md': '1',
  })
  expect(scan()).toMatchObject({ names: ['a.md', 'target/h.md', 'vendor/i.md'], leftOut: { hidden: 2, dependencies: 4 } })
  const all = scan({ rules: { ...rules, skipHidden: false, skipDependencies: false } })
  expect(all.names).toHaveLength(11)
})

test('rule files count in their own directory and below, the nearer before the farther, .sikuignore before .gitignore', async () => {
  write({
    '.gitignore': '*.log\n/only-here.md\nbuild/\n',
    'x.log': '1',
    'only-here.md': '1',
    'build/a.md': '1',
    'sub/.gitignore': '!keep.log\n',
    'sub/keep.log': '1',
    'sub/other.log': '1',
    'sub/only-here.md': '1',
    'sub/.sikuignore': 'private.md\n',
    'sub/private.md': '1',
    'private.md': '1',
    'both/.gitignore': 'draft.md\n',
    'both/.sikuignore': '!draft.md\n',
    'both/draft.md': '1',
  })
  const { names, leftOut } = scan()
  expect(names).toEqual(['both/draft.md', 'private.md', 'sub/keep.log', 'sub/only-here.md'])
  expect(leftOut.ignored).toBe(5)
})

test("the user's own rules count everywhere, and a broken rule spoils nothing", async () => {
  write({ 'a.tmp': '1', 'b.md': '1', 'deep/c.tmp': '1', 'deep/.gitignore': '[z-a]\n\\\n*.bak\n', 'deep/d.bak': '1' })
  expect(scan({ rules: { ...rules, ignoreRules: ['*.tmp'] } }).names).toEqual(['b.md'])
})

test('links that loop are visited once, and what a link reaches inside keeps its own path', async () => {
  const outside = mkdtempSync(join(tmpdir(), 'siku-outside-'))
  try {
    write({ 'real/a.md': '1', 'b.md': '1' })
    write({ 'c.md': '1' }, outside)
    symlinkSync('..', join(root, 'real/up'))
    symlinkSync('real', join(root, 'aaa-link'))
    symlinkSync(join(root, 'b.md'), join(root, 'link.md'))
    symlinkSync('nowhere', join(root, 'broken'))
    symlinkSync(outside, join(root, 'out'))
    symlinkSync(root, join(outside, 'back'))
    symlinkSync(outside, join(root, 'out-again'))
    const { names, leftOut } = scan()
    const [, , back, inside] = names
    expect([back, inside]).toEqual([expect.stringMatching(/^out(-again)?\/back$/), expect.stringMatching(/^out(-again)?\/c\.md$/)])
    expect(names.toSpliced(2, 2)).toEqual(['b.md', 'broken', 'real/a.md', 'real/up'])
    expect(leftOut.links).toBe(3)
  } finally {
    rmSync(outside, { recursive: true })
  }
})

test('a link to its own directory, to itself, or in a ring is listed without bytes, and nothing is found through it', async () => {
  write({ 'a.md': '1', 'deep/b.md': '1' })
  symlinkSync('.', join(root, 'here'))
  symlinkSync('..', join(root, 'deep/up'))
  symlinkSync('../..', join(root, 'deep/above'))
  symlinkSync('self', join(root, 'self'))
  symlinkSync('two', join(root, 'one'))
  symlinkSync('one', join(root, 'two'))
  expect(scan()).toMatchObject({ names: ['a.md', 'deep/above', 'deep/b.md', 'deep/up', 'here', 'one', 'self', 'two'], leftOut: {} })
})

test('placeholders of cloud drives are listed without bytes; a sparse file anywhere else is an ordinary file', async () => {
  write({ 'sparse.md': '', 'Dropbox/online.md': '', 'Dropbox/here.md': '1'.repeat(9000), 'docs/.report.pdf.icloud': 'bplist' })
  truncateSync(join(root, 'sparse.md'), 1 << 20)
  truncateSync(join(root, 'Dropbox/online.md'), 1 << 20)
  const sizes: Record<string, number> = {}
  for (const event of scanFolder({ root, rules, otherRoots: new Set() }))
    if (event.type === 'files') for (const { path, sizeBytes } of event.files) sizes[relative(root, path)] = sizeBytes
  expect(sizes).toEqual({ 'sparse.md': 1 << 20, 'Dropbox/online.md': 0, 'Dropbox/here.md': 9000, 'docs/.report.pdf.icloud': 0 })
})

test.skipIf(process.platform === 'win32')(
  'a pipe, a link to a device and a link to nothing are listed without bytes and never opened',
  async () => {
    write({ 'a.md': '1' })
    execFileSync('mkfifo', [join(root, 'pipe.md')])
    symlinkSync('/dev/zero', join(root, 'zero'))
    symlinkSync('nowhere', join(root, 'broken'))
    expect(scan()).toMatchObject({ names: ['a.md', 'broken', 'pipe.md', 'zero'], leftOut: {} })
  },
)

test('what belongs to another folder is left to it, without a count', async () => {
  write({ 'a.md': '1', 'inner/b.md': '1', 'single.md': '1' })
  const otherRoots = new Set([join(root, 'inner'), join(root, 'single.md')])
  expect(scan({ otherRoots })).toEqual({ names: ['a.md'], leftOut: {}, unseen: [] })
})

test('a look at some paths sees only those, under the rules of all directories above', async () => {
  write({ '.gitignore': 'skip/\n', 'a.md': '1', 'x/b.md': '1', 'x/c.md': '1', 'x/y/d.md': '1', 'skip/e.md': '1', 'node_modules/f.md': '1' })
  const only = new Set(['x/b.md', 'x/y', 'skip/e.md', 'node_modules/f.md', 'gone.md'].map((name) => join(root, name)))
  expect(scan({ only }).names).toEqual(['x/b.md', 'x/y/d.md'])
})

test('a folder that is not there is unreachable, not empty', async () => {
  expect(scan({ root: join(root, 'nowhere') }).names).toEqual(['(unreachable)'])
})

test('a single file is a folder of one, whatever the rules say', async () => {
  write({ '.gitignore': '*', 'a.md': '1' })
  expect(scan({ root: join(root, 'a.md') }).names).toEqual([''])
})

const canSwitchUser = process.getuid?.() === 0
if (!canSwitchUser) process.stderr.write('skipped: a directory that may not be listed needs another user, and this one is not root\n')

test.skipIf(!canSwitchUser)('a directory that may not be listed is counted and named, so that what is known below it is kept', async () => {
  write({ 'a.md': '1', 'closed/b.md': '1' })
  chmodSync(root, 0o755)
  chmodSync(join(root, 'closed'), 0o700)
  const program = `
    process.setuid(65534)
    const { readdirSync } = require('node:fs')
    try { readdirSync(${JSON.stringify(join(root, 'closed'))}); process.exit(1) } catch { process.exit(0) }`
  expect(spawnSync(process.execPath, ['-e', program]).status).toBe(0)
  process.seteuid!(65534)
  try {
    const { names, leftOut, unseen } = scan()
    expect([names, leftOut, unseen]).toEqual([['a.md'], { unreadable: 1 }, ['closed']])
  } finally {
    process.seteuid!(0)
  }
})
