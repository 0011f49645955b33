import { useEffect } from 'react'
import { client } from '../client.ts'
import { useLibrary } from '../state/library.ts'
import { useReader } from '../state/reader.ts'

/** Keeps what is said of the open document true while documents are read again, opened with a password or recognised. */
export function useFreshDocument(): void {
  const documentId = useReader((state) => state.document?.id ?? null)
  // While documents are read, the counts change.
  const version = useLibrary(({ progress }) => (progress === null ? '' : JSON.stringify([progress.phase, progress.counts])))
  useEffect(() => {
    if (documentId === null) return
    const stop = new AbortController()
    client.documents.get({ documentId }, { signal: stop.signal }).then(
      (fresh) => {
        const { document } = useReader.getState()
        if (document?.id === fresh.id && JSON.stringify(document) !== JSON.stringify(fresh)) useReader.setState({ document: fresh })
      },
      // Gone, or the core is: what is shown stays until it is opened anew.
      () => undefined,
    )
    return () => stop.abort()
  }, [documentId, version])
}
