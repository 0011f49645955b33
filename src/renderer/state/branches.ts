import { parentsOf, pathTo, versionsOf, type BranchTurn } from '../../contract/branches.ts'

/** What of a chat's tree is on the screen. */
export interface Shown {
  nodes: BranchTurn[]
  /** The last turn that is shown; null: none. */
  leaf: string | null
  /** From the first turn to the leaf. */
  turnIds: string[]
  /** The versions of each shown turn that has more than one, in the order in which they were asked. */
  versions: Record<string, string[]>
}

export const nothingShown: Shown = { nodes: [], leaf: null, turnIds: [], versions: {} }

export function shownOf(nodes: BranchTurn[], leaf: string | null): Shown {
  const parents = parentsOf(nodes)
  const turnIds = pathTo(parents, leaf)
  // Most chats have one branch, and then there is nothing to look for.
  const branched = new Set(parents.values()).size < parents.size
  const versions = branched ? turnIds.map((id) => [id, versionsOf(parents, id)] as const).filter(([, all]) => all.length > 1) : []
  return { nodes, leaf, turnIds, versions: Object.fromEntries(versions) }
}

export function nodeOf({ id, ordinal, parentId }: BranchTurn): BranchTurn {
  return { id, ordinal, ...(parentId === undefined ? {} : { parentId }) }
}

/** A node with a turn that has not reached the core yet, or the same with the name that it got there. */
export function withNode(nodes: BranchTurn[], id: string, parentId: string | null): BranchTurn[] {
  return [...nodes, { id, parentId, ordinal: Math.max(-1, ...nodes.map((node) => node.ordinal)) + 1 }]
}

export function renamed(nodes: BranchTurn[], from: string, to: string): BranchTurn[] {
  return nodes.map((node) => (node.id === from ? { ...node, id: to } : node))
}
