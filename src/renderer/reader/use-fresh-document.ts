import { client } from '../client.ts'
import { useRefreshed } from '../parts/use-refreshed.ts'
import { useLibrary } from '../state/library.ts'
import { useReader } from '../state/reader.ts'

/** Keeps what is said of the open document true while documents are read again, opened with a password or recognised. */
export function useFreshDocument(): void {
  const documentId = useReader((state) => state.document?.id ?? null)
  // While documents are read, the counts change.
  const version = useLibrary(({ progress }) => (progress === null ? '' : JSON.stringify([progress.phase, progress.counts])))
  useRefreshed(documentId === null ? null : String(documentId), version, async (signal) => {
    if (documentId === null) return
    // Gone, or the core is: what is shown stays until it is opened anew.
    const fresh = await client.documents.get({ documentId }, { signal }).catch(() => null)
    const { document } = useReader.getState()
    if (fresh === null || signal.aborted || document?.id !== fresh.id) return
    if (JSON.stringify(document) !== JSON.stringify(fresh)) useReader.setState({ document: fresh })
  })
}
