import { defineConfig } from 'electron-vite'
import { rendererConfig } from './vite.renderer.config.ts'

/** The real bundles of the Electron host: main (ES module), preload (one CommonJS file, as the sandbox wants it), interface. */
export default defineConfig({
  main: {
    publicDir: false,
    build: {
      outDir: 'out/main',
      sourcemap: true,
      reportCompressedSize: false,
      rollupOptions: { input: { main: 'src/main/main.ts' }, output: { format: 'es', entryFileNames: '[name].js' } },
    },
  },
  preload: {
    publicDir: false,
    build: {
      outDir: 'out/preload',
      reportCompressedSize: false,
      rollupOptions: {
        input: { preload: 'src/preload/preload.ts' },
        output: { format: 'cjs', entryFileNames: '[name].cjs', codeSplitting: false },
      },
    },
  },
  renderer: rendererConfig(),
})
