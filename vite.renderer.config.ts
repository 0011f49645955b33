import { cpSync, createReadStream, existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin, type UserConfig } from 'vite'

const root = dirname(fileURLToPath(import.meta.url))
const pdfjs = join(root, 'node_modules/pdfjs-dist')
const pdfjsFolders = ['cmaps', 'standard_fonts', 'wasm', 'iccs']

/** Nothing but what the page itself carries; the reading of a PDF needs a worker and WebAssembly. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "media-src 'self'",
  "font-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self' blob:",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

function securityTag(): Plugin {
  return {
    name: 'siku-security-tag',
    apply: 'build',
    transformIndexHtml: () => [
      { tag: 'meta', attrs: { 'http-equiv': 'Content-Security-Policy', content: contentSecurityPolicy }, injectTo: 'head-prepend' },
    ],
  }
}

/** The character maps and standard fonts that pdf.js loads by address: served from beside the page, never from the network. */
function pdfjsFiles(): Plugin {
  let outDir = ''
  return {
    name: 'siku-pdfjs-files',
    configResolved(config) {
      outDir = join(config.root, config.build.outDir)
      if (config.build.outDir.startsWith('/')) outDir = config.build.outDir
    },
    configureServer(server) {
      server.middlewares.use('/pdfjs', (request, response, next) => {
        const path = join(pdfjs, decodeURIComponent((request.url ?? '/').replace(/\?.*$/, '')))
        if (path.startsWith(pdfjs) && existsSync(path)) createReadStream(path).pipe(response)
        else next()
      })
    },
    closeBundle() {
      for (const folder of pdfjsFolders) cpSync(join(pdfjs, folder), join(outDir, 'pdfjs', folder), { recursive: true })
    },
  }
}

interface LockedPackage {
  version?: string
  license?: string
  dev?: boolean
}
/** Development dependencies that end up in the interface's bundle all the same. */
const bundled =
  /^(react|react-dom|scheduler|radix-ui|@radix-ui\/.+|zustand|i18next|react-i18next|react-virtuoso|react-markdown|remark-.+|rehype-katex|micromark.*|mdast-util-.+|katex|shiki|@shikijs\/.+|lucide-react|tailwindcss)$/

/** The licences of everything that ships, for the settings to show. */
function licences(): Plugin {
  return {
    name: 'siku-licences',
    apply: 'build',
    generateBundle() {
      const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Record<string, LockedPackage> }
      const list = Object.entries(lock.packages)
        .filter(([path]) => path.lastIndexOf('node_modules/') === 0)
        .map(([path, found]) => ({
          name: path.slice('node_modules/'.length),
          version: found.version ?? '',
          licence: found.license ?? '',
          dev: found.dev === true,
        }))
        .filter(({ name, dev, licence }) => licence !== '' && (!dev || bundled.test(name)))
        .map(({ name, version, licence }) => ({ name, version, licence }))
      this.emitFile({ type: 'asset', fileName: 'licences.json', source: JSON.stringify(list) })
    },
  }
}

/** The interface's bundle, the same for both hosts. `outDir` is absolute or seen from the repository's root. */
export function rendererConfig(outDir = join(root, 'out/renderer')): UserConfig {
  return {
    root: join(root, 'src/renderer'),
    base: './',
    publicDir: false,
    plugins: [react(), tailwindcss(), securityTag(), pdfjsFiles(), licences()],
    build: {
      outDir,
      emptyOutDir: true,
      target: 'chrome120',
      minify: true,
      sourcemap: false,
      reportCompressedSize: false,
      chunkSizeWarningLimit: 2500,
      assetsInlineLimit: 0,
      rollupOptions: { input: join(root, 'src/renderer/index.html') },
    },
  }
}

export default defineConfig(rendererConfig())
