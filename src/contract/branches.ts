import type { Turn } from './answer.ts'

/** What a chat's shape is read from. */
export type BranchTurn = Pick<Turn, 'id' | 'ordinal' | 'parentId'>

/**
 * A chat is a tree of turns: a question that is edited or asked again stands beside the one before it, and nothing is lost.
 * Each turn with the one that it follows, null for a first one, in the order in which they were asked. A turn that names none
 * follows the one that was asked before it.
 */
export function parentsOf(turns: readonly BranchTurn[]): Map<string, string | null> {
  const parents = new Map<string, string | null>()
  let last: string | null = null
  for (const { id, parentId } of [...turns].sort((one, other) => one.ordinal - other.ordinal)) {
    // Only what was asked before can be followed, so that no path goes in a circle.
    parents.set(id, parentId === null || (parentId !== undefined && parents.has(parentId)) ? parentId : last)
    last = id
  }
  return parents
}

/** The ids from the first turn to this one. */
export function pathTo(parents: ReadonlyMap<string, string | null>, leaf: string | null): string[] {
  const path: string[] = []
  for (let id: string | null = parents.has(leaf ?? '') ? leaf : null; id !== null; id = parents.get(id) ?? null) path.push(id)
  return path.reverse()
}

/** The turns that stand beside this one, itself included, in the order in which they were asked. */
export function versionsOf(parents: ReadonlyMap<string, string | null>, id: string): string[] {
  const parent = parents.get(id)
  return [...parents].filter(([, each]) => each === parent).map(([each]) => each)
}

/** The turn that was asked last among those that come after this one, or itself; of null, in the whole chat. */
export function newestAfter(parents: ReadonlyMap<string, string | null>, from: string | null): string | null {
  const under = new Set([from])
  let newest = from
  for (const [id, parent] of parents) {
    if (!under.has(parent)) continue
    under.add(id)
    newest = id
  }
  return newest
}
