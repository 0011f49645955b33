import { readFileSync } from 'node:fs'
import { defineConfig } from 'vite'

interface PackageFile {
  dependencies: Record<string, string>
  optionalDependencies: Record<string, string>
}
const packageFile = JSON.parse(readFileSync(new URL('./package.json', import.meta.url), 'utf8')) as PackageFile
const installed = [...Object.keys(packageFile.dependencies), ...Object.keys(packageFile.optionalDependencies)]

/** The terminal and browser hosts, and every child process and thread of the core, which all hosts share. */
export default defineConfig({
  publicDir: false,
  ssr: { target: 'node' },
  build: {
    ssr: true,
    target: 'node20',
    outDir: 'out/node',
    emptyOutDir: true,
    sourcemap: true,
    minify: false,
    reportCompressedSize: false,
    rollupOptions: {
      input: {
        cli: 'src/cli/cli.ts',
        'writer-thread': 'src/core/store/writer-thread.ts',
        'index-thread': 'src/core/search/index-thread.ts',
        'scan-thread': 'src/core/ingest/scan-thread.ts',
        'sandbox-thread': 'src/core/agent/sandbox-thread.ts',
        'embedding-process': 'src/core/embed/embedding-process.ts',
        'reading-process': 'src/core/ingest/reading-process.ts',
        'ocr-process': 'src/core/ingest/ocr/ocr-process.ts',
        'tables-thread': 'src/core/tables/tables-thread.ts',
        'table-process': 'src/core/ingest/tables/table-process.ts',
        'query-process': 'src/core/tables/query-process.ts',
      },
      // No module here does anything by being imported: a worker loads only what it uses of a folder's main file.
      treeshake: { moduleSideEffects: false },
      external: (id) => id.startsWith('node:') || installed.some((name) => id === name || id.startsWith(`${name}/`)),
      output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
    },
  },
})
