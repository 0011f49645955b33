import { useEffect, useRef, type RefObject } from 'react'

/** For a text field that is to be as high as its text. */
export function useGrowing(text: string): RefObject<HTMLTextAreaElement | null> {
  const area = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    const element = area.current
    if (element === null) return
    element.style.height = '0'
    element.style.height = `${element.scrollHeight}px`
  }, [text])
  return area
}
