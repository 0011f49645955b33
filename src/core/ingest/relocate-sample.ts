import { join } from 'node:path'
import type { Store } from '../store/store.ts'
import { checkPath } from './check-path.ts'

/** An app that moved, as an AppImage does at every start, finds its sample where it is now. */
export async function relocateSample(store: Store, resourcesDir: string): Promise<void> {
  const sample = store.folders.list().find((known) => known.sample)
  const path = join(resourcesDir, 'sample-library')
  if (sample === undefined || sample.path === path || (await checkPath(sample.path, null)).kind === 'ok') return
  const check = await checkPath(path, null)
  if (check.kind !== 'ok') return
  await store.folders.remove(sample.id)
  await store.folders.add({ path: check.path, single: false, sample: true, copied: false })
}
