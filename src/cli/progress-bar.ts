import { fit, width } from './output.ts'

export interface ProgressLine {
  label: string
  /** From 0 to 1; null when the end is not known yet. */
  fraction: number | null
  /** Parts after the bar: counts, rate, time left. */
  parts: string[]
}

export interface ProgressBar {
  update(line: ProgressLine): void
  /** Removes the bar, so that what follows stands on a clean line. */
  end(): void
}

const redrawMs = 100
const plainLineMs = 5000

/** On a terminal one line that is redrawn; elsewhere a plain line now and then. It never runs backwards. */
export function createProgressBar(stream: NodeJS.WriteStream, quiet = false): ProgressBar {
  let furthest = 0
  let drawnAt = -Infinity
  let lastLabel = ''
  let lastCounts = ''
  let onScreen = false

  function draw({ label, fraction, parts }: ProgressLine): string {
    const cells = 24
    const filled = Math.round((fraction ?? 0) * cells)
    const bar = fraction === null ? '░'.repeat(cells) : '█'.repeat(filled) + '░'.repeat(cells - filled)
    const percent = fraction === null ? '' : ` ${String(Math.floor(fraction * 100)).padStart(3)} %`
    return [`${label} ${bar}${percent}`, ...parts].join(' · ')
  }

  return {
    update(line) {
      if (quiet) return
      const now = performance.now()
      const fraction = line.fraction === null ? null : (furthest = Math.max(furthest, Math.min(1, line.fraction)))
      const wait = stream.isTTY ? redrawMs : plainLineMs
      if (now - drawnAt < wait && line.label === lastLabel) return
      drawnAt = now
      lastLabel = line.label
      if (!stream.isTTY) {
        // What stands still says nothing.
        const counts = line.parts.join() + String(fraction)
        if (counts === lastCounts) return
        lastCounts = counts
        const percent = fraction === null ? [] : [`${Math.floor(fraction * 100)} %`]
        stream.write(`${[line.label, ...percent, ...line.parts].join(' · ')}\n`)
        return
      }
      const columns = Math.max(20, stream.columns - 1)
      const text = fit(draw({ ...line, fraction }), columns)
      stream.write(`\r${text}${' '.repeat(Math.max(0, columns - width(text)))}`)
      onScreen = true
    },
    end() {
      if (onScreen) stream.write(`\r${' '.repeat(Math.max(20, stream.columns - 1))}\r`)
      onScreen = false
    },
  }
}
