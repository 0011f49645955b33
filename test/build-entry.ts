import { chmodSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'vite'

/** Builds a test's own entry of a thread or child process, which Node cannot run as it is. */
export async function buildEntry(source: URL): Promise<URL> {
  // Below the checkout, so that packages are found from there.
  const outDir = mkdtempSync(join(fileURLToPath(new URL('../node_modules/', import.meta.url)), '.test-entry-'))
  // Some tests run it as another user.
  chmodSync(outDir, 0o755)
  await build({
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    build: {
      ssr: true,
      target: 'node20',
      outDir,
      emptyOutDir: false,
      minify: false,
      rollupOptions: {
        input: fileURLToPath(source),
        external: [/^node:/, '@photostructure/sqlite', 'zod'],
        output: { format: 'es', entryFileNames: 'entry.js' },
      },
    },
  })
  return pathToFileURL(join(outDir, 'entry.js'))
}
