import { create } from 'zustand'
import { client } from '../client.ts'

/** Names of documents that a scope speaks of, as far as they are known. */
export const useDocumentNames = create<{ names: Record<number, string> }>(() => ({ names: {} }))

export function noteDocumentName(id: number, name: string): void {
  useDocumentNames.setState(({ names }) => ({ names: { ...names, [id]: name } }))
}

const asked = new Set<number>()

/** Asks for those that are not known yet. One that is gone from the library stays without a name. */
export function learnDocumentNames(ids: readonly number[]): void {
  for (const documentId of ids) {
    if (useDocumentNames.getState().names[documentId] !== undefined || asked.has(documentId)) continue
    asked.add(documentId)
    client.documents.get({ documentId }).then(
      ({ name }) => noteDocumentName(documentId, name),
      () => asked.delete(documentId),
    )
  }
}
