import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import envPaths from 'env-paths'

/** `out/` in a checkout, the same inside the packed app. This file's bundle lies in `out/main`. */
const outDir = fileURLToPath(new URL('..', import.meta.url))

export const preloadPath = join(outDir, 'preload', 'preload.cjs')
export const rendererDir = join(outDir, 'renderer')
export const builtNodeDir = pathToFileURL(join(outDir, 'node') + '/')
export const commandLineUrl = new URL('cli.js', builtNodeDir)

/** Models and the sample library are read by native code, which does not look into an asar archive. */
export const resourcesDir = join(outDir, '..', 'resources').replace(/([\\/])app\.asar([\\/])/, '$1app.asar.unpacked$2')

/** The library lies where every host looks for it. */
export const dataDir = resolve(process.env['SIKU_HOME'] || envPaths('Siku', { suffix: '' }).data)
