import { readdirSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join, posix, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')

/** Folders of core in the order of DESIGN: a folder imports only from earlier groups. */
const coreGroups = [
  ['net', 'work'],
  ['store'],
  ['ollama', 'openai'],
  ['embed', 'models', 'mcp'],
  ['search'],
  ['memory', 'turns', 'tables'],
  ['ingest', 'answer'],
  ['agent'],
  ['evaluate'],
  ['doctor'],
  // What every host shares stands above core itself: it opens cores.
  ['host'],
]

/** Files that stand in core itself: what they may import from core's folders. */
const coreRootFiles: Record<string, 'all' | 'none'> = {
  'core.ts': 'all',
  'embedding.ts': 'all',
  'router.ts': 'all',
  'call-error.ts': 'none',
  'context.ts': 'all',
  'deps.ts': 'none',
}

const rendererLibraries = new Set([
  'react',
  'react-dom',
  'react-dom/client',
  '@orpc/client',
  '@orpc/client/websocket',
  '@orpc/client/message-port',
  '@orpc/contract',
  'radix-ui',
  'zustand',
  'zustand/react/shallow',
  'zustand/middleware',
  'i18next',
  'react-i18next',
  'react-virtuoso',
  'react-markdown',
  'remark-gfm',
  'remark-math',
  'rehype-katex',
  'katex',
  'shiki',
  'lucide-react',
  'pdfjs-dist',
  'axe-core',
  'hast',
])

interface Layer {
  layers: string[]
  node: boolean
  npm: (name: string) => boolean
}
const not =
  (...names: string[]) =>
  (name: string) =>
    !names.some((each) => name === each || name.startsWith(`${each}/`))
const only =
  (...names: string[]) =>
  (name: string) =>
    names.some((each) => name === each || name.startsWith(`${each}/`))
const interfaceLibraries = ['react', 'react-dom', 'electron', 'zustand', 'react-i18next']
const layers: Record<string, Layer> = {
  contract: { layers: ['contract'], node: false, npm: only('zod', '@orpc/contract') },
  core: { layers: ['contract', 'core'], node: true, npm: not(...interfaceLibraries) },
  preload: { layers: ['contract', 'preload'], node: false, npm: only('electron') },
  renderer: {
    layers: ['contract', 'renderer'],
    node: false,
    npm: (name) => rendererLibraries.has(name) || /^(shiki|@shikijs|katex|pdfjs-dist)\//.test(name),
  },
  main: { layers: ['contract', 'core', 'main'], node: true, npm: not('react', 'react-dom') },
  server: { layers: ['contract', 'core', 'server'], node: true, npm: not(...interfaceLibraries) },
  cli: { layers: ['contract', 'core', 'cli'], node: true, npm: not(...interfaceLibraries) },
}

/** Written exceptions to the table, each with its reason in DESIGN: the terminal's `serve` and its node dependencies. */
const crossings = new Set(['cli -> server/server.ts'])

function sourceFiles(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name)
    if (entry.isDirectory()) return sourceFiles(path)
    return /\.(ts|tsx|mts|cts|js)$/.test(entry.name) ? [path] : []
  })
}

function importsOf(path: string): string[] {
  const text = readFileSync(path, 'utf8').replace(/\/\*[\s\S]*?\*\//g, '')
  const found = [
    ...text.matchAll(/(?:^|\n)\s*(?:import|export)\s[^'"`;]*?from\s*['"]([^'"]+)['"]/g),
    ...text.matchAll(/(?:^|\n)\s*import\s*['"]([^'"]+)['"]/g),
    ...text.matchAll(/\bimport\(\s*['"]([^'"]+)['"]\s*\)/g),
  ]
  return found.map((match) => match[1] ?? '').map((specifier) => specifier.replace(/\?.*$/, ''))
}

function groupOf(folder: string): number {
  return coreGroups.findIndex((group) => group.includes(folder))
}

function refuseCoreEdge(from: string, to: string): string | null {
  const [fromFolder, toFolder] = [from.split('/')[1] ?? '', to.split('/')[1] ?? '']
  const fromRoot = coreRootFiles[fromFolder]
  const toRoot = coreRootFiles[toFolder]
  if (fromRoot === 'all') return null
  if (toRoot === 'none') return null
  if (fromFolder === 'host' && toRoot === 'all') return null
  if (fromRoot === 'none' || toRoot === 'all') return 'reaches up to core itself'
  if (fromFolder === toFolder) return null
  if (groupOf(toFolder) >= groupOf(fromFolder)) return 'goes against the order of core'
  if (!to.endsWith(`/${toFolder}.ts`)) return "reaches past a folder's main file"
  return null
}

function violations(): string[] {
  const found: string[] = []
  for (const path of sourceFiles(join(root, 'src'))) {
    const from = relative(join(root, 'src'), path).split(sep).join('/')
    if (from.endsWith('.test.ts') || from.endsWith('.test.tsx')) continue
    const layerName = from.split('/')[0] ?? ''
    const layer = layers[layerName]
    if (layer === undefined) {
      found.push(`${from}: is in no layer`)
      continue
    }
    if (layerName === 'core') {
      const parts = from.split('/')
      const inRow =
        parts.length === 2 ? parts[1] !== undefined && parts[1] in coreRootFiles : groupOf(parts[1] ?? '') >= 0 && parts.length <= 4
      if (!inRow) found.push(`${from}: is in no row of the table`)
    }
    for (const specifier of importsOf(path)) {
      if (specifier.startsWith('.')) {
        const to = posix.normalize(posix.join(posix.dirname(from), specifier))
        const toLayer = to.split('/')[0] ?? ''
        if (to.startsWith('..')) {
          if (!/package\.json$|\.json$/.test(to)) found.push(`${from}: leaves src for ${specifier}`)
        } else if (!layer.layers.includes(toLayer) && !crossings.has(`${layerName} -> ${to}`)) {
          found.push(`${from}: may not import ${to}`)
        } else if (layerName === 'core' && toLayer === 'core') {
          const why = refuseCoreEdge(from, to)
          if (why !== null) found.push(`${from}: import of ${to} ${why}`)
        }
      } else if (specifier.startsWith('node:') || builtinModules.includes(specifier)) {
        if (!layer.node) found.push(`${from}: may not import ${specifier}`)
      } else if (!layer.npm(specifier)) {
        found.push(`${from}: may not import ${specifier}`)
      }
    }
  }
  return found
}

test('every import follows the table of layers, and every file is in a row of it', () => {
  expect(violations()).toEqual([])
})
