import { useEffect, useRef, type RefObject } from 'react'

/**
 * For a text field that is to be as high as its text. Measuring lays out a long text twice for each key; where the browser can
 * do it by itself, it is told to.
 */
export function useGrowing(text: string): RefObject<HTMLTextAreaElement | null> {
  const area = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    const element = area.current
    if (element === null || CSS.supports('field-sizing', 'content')) return
    element.style.height = '0'
    element.style.height = `${element.scrollHeight}px`
  }, [text])
  return area
}
