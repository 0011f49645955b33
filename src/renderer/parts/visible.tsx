import { useMemo } from 'react'
import { visibleParts } from './visible-text.ts'

/** Text from outside, with every hidden character in sight. */
export function Visible({ text }: { text: string }) {
  const parts = useMemo(() => visibleParts(text), [text])
  return (
    <bdi>
      {parts.map((part, index) =>
        part.hidden ? (
          <span key={index} className="mx-px rounded-sm bg-warn-wash px-1 font-mono text-[0.85em] text-warn-ink">
            {part.text}
          </span>
        ) : (
          part.text
        ),
      )}
    </bdi>
  )
}
