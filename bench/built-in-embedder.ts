import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createBuiltInEmbedder } from '../src/core/embed/built-in.ts'
import { forkProcess } from '../src/core/work/work.ts'

/** Siku's own, as it runs in the app. `root` holds `resources` and the built workers. */
export function builtInEmbedder(root: string): ReturnType<typeof createBuiltInEmbedder> {
  return createBuiltInEmbedder({
    deps: {
      resourcesDir: join(root, 'resources'),
      startProcess: forkProcess,
      workerUrl: (name) => pathToFileURL(join(root, 'out', 'node', `${name}.js`)),
      log: () => undefined,
    },
  })
}
