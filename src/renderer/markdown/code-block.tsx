import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCopied } from '../parts/use-copied.ts'
import type { CodeLine } from './highlight.ts'

/** The lines of a code with their colours; null until (or unless) the highlighter has come. */
export function useHighlighted(code: string, language: string): CodeLine[] | null {
  const [lines, setLines] = useState<{ code: string; lines: CodeLine[] } | null>(null)
  useEffect(() => {
    if (language === '' || code.length > 200_000) return
    let alive = true
    const timer = setTimeout(() => {
      void import('./highlight.ts')
        .then((module) => module.highlight(code, language))
        .then((result) => {
          if (alive && result !== null) setLines({ code, lines: result })
        })
        // Without its colours the code is still there.
        .catch(() => undefined)
    }, 60)
    return () => {
      alive = false
      clearTimeout(timer)
    }
  }, [code, language])
  return lines?.code === code ? lines.lines : null
}

export function CodeLineText({ line }: { line: CodeLine }) {
  return line.map((token, index) => (
    <span key={index} style={{ color: token.color }}>
      {token.text}
    </span>
  ))
}

export function CodeBlock({ code, language }: { code: string; language: string }) {
  const { t } = useTranslation()
  const { copied, copy } = useCopied()
  const lines = useHighlighted(code, language)
  return (
    <div className="code-frame">
      <div className="flex items-center justify-between border-b border-line py-0.5 ps-3.5 pe-1 text-tiny text-ink-2">
        <span>{language}</span>
        <button type="button" className="icon-button" aria-label={t('common.copyCode')} onClick={() => copy(code)}>
          {copied ? <Check size={14} /> : <Copy size={14} />}
        </button>
      </div>
      <pre tabIndex={0} aria-label={t('common.code')}>
        <code>
          {lines === null
            ? code
            : lines.map((line, index) => (
                <span key={index}>
                  <CodeLineText line={line} />
                  {index < lines.length - 1 ? '\n' : ''}
                </span>
              ))}
        </code>
      </pre>
    </div>
  )
}
