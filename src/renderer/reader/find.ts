import { useDeferredValue, useEffect, useMemo } from 'react'
import { create } from 'zustand'
import { findText } from './find-text.ts'
import type { TextMark } from './marks.ts'
import type { LineRange } from './quote-ranges.ts'

interface Find {
  open: boolean
  words: string
  /** Which of the places is shown, from 0. */
  at: number
  /** Places in all; null while they are looked for. */
  total: number | null
}

/** Searching inside the open document: one for the whole reader, whatever it shows. */
export const useFind = create<Find>(() => ({ open: false, words: '', at: 0, total: null }))

export function openFind(): void {
  useFind.setState({ open: true })
  // An open one is asked for again: what is in it is taken to be replaced.
  requestAnimationFrame(() => document.querySelector<HTMLInputElement>('#reader-find')?.select())
}

export function closeFind(): void {
  useFind.setState({ open: false, words: '', at: 0, total: null })
}

export function setFindWords(words: string): void {
  useFind.setState({ words, at: 0, total: null })
}

export function showFound(total: number): void {
  useFind.setState(({ at }) => ({ total, at: Math.min(at, Math.max(0, total - 1)) }))
}

export function stepFind(by: 1 | -1): void {
  const { at, total } = useFind.getState()
  if (total !== null && total > 0) useFind.setState({ at: (at + by + total) % total })
}

const noMarks: readonly TextMark[] = []

/** The places by the piece of text they stand in. */
export function marksOf(matches: LineRange[][], now: number): Map<number, TextMark[]> {
  const marks = new Map<number, TextMark[]>()
  matches.forEach((ranges, index) => {
    for (const { line, from, to } of ranges) {
      const mark: TextMark = { from, to, kind: index === now ? 'now' : 'found' }
      marks.set(line, [...(marks.get(line) ?? []), mark])
    }
  })
  return marks
}

/** What is searched for, in the pieces of text that a view shows; `piece` is the one that the shown place begins in. */
export function useMatches(pieces: string[]): { marks: (piece: number) => readonly TextMark[]; piece: number | null } {
  const words = useDeferredValue(useFind((state) => state.words))
  const now = useFind((state) => state.at)
  const matches = useMemo(() => findText(pieces, words), [pieces, words])
  const byPiece = useMemo(() => marksOf(matches, now), [matches, now])
  useEffect(() => showFound(matches.length), [matches])
  return { marks: (piece) => byPiece.get(piece) ?? noMarks, piece: matches[now]?.[0]?.line ?? null }
}
