import { readdir, stat } from 'node:fs/promises'
import type { Store } from '../store/store.ts'
import { isGone, isWithin } from './scan.ts'

interface KnownRoot {
  path: string
  device: string | null
}

/** Where an unplugged drive leaves its empty mount point behind. */
const mountPlaces = ['/mnt/', '/media/', '/run/media/', '/Volumes/']

export function isMountPlace(root: string): boolean {
  return mountPlaces.some((place) => root.startsWith(place))
}

async function isThere(path: string): Promise<boolean | 'unknown'> {
  try {
    await stat(path)
    return true
  } catch (error) {
    return isGone(error) ? false : 'unknown'
  }
}

/** It can be looked into, and is the place that it was when the folder inside was last seen. */
async function stands(outer: string, device: string): Promise<boolean> {
  try {
    const stats = await stat(outer)
    if (!stats.isDirectory() || String(stats.dev) !== device) return false
    return !isMountPlace(outer) || (await readdir(outer)).length > 0
  } catch {
    return false
  }
}

/**
 * Whether a folder's root was deleted or moved away, rather than out of reach: it is not there, and another folder around it,
 * on the same device, is. A drive of its own, or one whose whole tree went away, may come back.
 */
export async function wasDeletedInside(store: Store, folderId: number): Promise<boolean> {
  const own = store.reader.prepare('SELECT path, device FROM folders WHERE id = ?').get(folderId) as KnownRoot | undefined
  if (own === undefined || own.device === null || (await isThere(own.path)) !== false) return false
  const others = store.reader
    .prepare('SELECT path, device FROM folders WHERE id <> ? AND removed_at IS NULL AND single = 0')
    .all(folderId) as unknown as KnownRoot[]
  for (const { path } of others) if (isWithin(own.path, path) && (await stands(path, own.device))) return true
  return false
}

/** A drive that does not answer is asked again by its follower. */
const longestLookMs = 500

/** The folders that are plainly not there while what was read of them is kept; the store is told of them. */
export async function markAway(store: Store): Promise<Set<number>> {
  const away = new Set<number>()
  const look = async ({ id, path }: { id: number; path: string }): Promise<void> => {
    if ((await isThereSoon(path)) !== false || (await wasDeletedInside(store, id))) return
    await store.folders.setReachable(id, false)
    away.add(id)
  }
  await Promise.all(store.folders.list().map(look))
  return away
}

async function isThereSoon(path: string): Promise<boolean | 'unknown'> {
  let timer: NodeJS.Timeout | undefined
  const silence = new Promise<'unknown'>((resolve) => {
    timer = setTimeout(() => resolve('unknown'), longestLookMs)
  })
  const found = await Promise.race([isThere(path), silence])
  clearTimeout(timer)
  return found
}

export function hasDocuments(store: Store, folderId: number): boolean {
  return store.reader.prepare('SELECT 1 FROM documents WHERE folder_id = ? LIMIT 1').get(folderId) !== undefined
}
