import { useEffect, useState } from 'react'
import { copyText } from './copy.ts'

/** Copies a text, and says for a moment that it was done. */
export function useCopied(): { copied: boolean; copy: (text: string) => void } {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), 1500)
    return () => clearTimeout(timer)
  }, [copied])
  return { copied, copy: (text) => void copyText(text).then(() => setCopied(true)) }
}
