import { useEffect, useRef, type ReactNode } from 'react'
import { Virtuoso, type Components, type VirtuosoHandle } from 'react-virtuoso'
import type { DocumentRow } from '../../contract/library.ts'
import { LoadingPanel, ProblemPanel } from '../parts/state-panel.tsx'
import { NoText } from './no-text.tsx'
import type { useSections } from './sections.ts'

interface Props {
  document: DocumentRow
  sections: ReturnType<typeof useSections>
  /** How many pieces the text is shown in. */
  count: number
  /** Whether the document was read and has no text. */
  empty: boolean
  /** The piece that is brought into sight, and how far below the upper edge, in pixels. */
  target: number
  offset?: number
  increaseViewportBy: number
  components?: Components
  piece: (index: number) => ReactNode
}

/** The text of a document as a list of pieces, of which only those in sight exist. */
export function TextList({ document, sections, count, empty, target, offset = 0, increaseViewportBy, components, piece }: Props) {
  const list = useRef<VirtuosoHandle>(null)
  useEffect(() => {
    list.current?.scrollToIndex({ index: target, align: 'start', offset })
  }, [target, offset])
  if (sections.total === null) return <LoadingPanel />
  if (sections.problem !== null && sections.items.length === 0) return <ProblemPanel problem={sections.problem} />
  if (empty) return <NoText document={document} />
  return (
    <Virtuoso
      ref={list}
      className="h-full bg-sheet"
      tabIndex={0}
      aria-label={document.name}
      totalCount={count}
      initialTopMostItemIndex={{ index: target, align: 'start', offset }}
      increaseViewportBy={increaseViewportBy}
      {...(components === undefined ? {} : { components })}
      itemContent={piece}
    />
  )
}
