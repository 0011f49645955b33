const han = /^[\p{Script=Han}\u3005]+/u

/** Readings over words of Japanese or Chinese: put behind their word, never into it. */
export interface Readings {
  /** A `ruby`, `rt` or `rp` begins or ends. */
  edge(name: string, entering: boolean): void
  /** Text that comes: what of it is to be put now, readings that were waiting included. */
  text(data: string): string
  /** The paragraph or cell is over: readings that are left. */
  end(): string
}

export function createReadings(): Readings {
  let isOpen = false
  let inReading = false
  /** Brackets for those who cannot show readings: they are put here anyway. */
  let isBracket = false
  let said: string[] = []
  /** Of the words that the readings stand over. */
  let base = ''

  function end(): string {
    const readings = said.map((each) => each.trim()).filter((each) => each !== '')
    said = []
    base = ''
    isOpen = false
    inReading = false
    return readings.length === 0 ? '' : `（${readings.join(/[a-z]/i.test(readings.join('')) ? ' ' : '')}）`
  }

  return {
    edge(name, entering) {
      if (name === 'ruby') {
        isOpen = entering
        inReading = false
      } else if (isOpen) {
        if (entering && name === 'rt') said.push('')
        inReading = entering
        isBracket = entering && name === 'rp'
      }
    },
    text(data) {
      if (inReading) {
        if (!isBracket) said[said.length - 1] += data
        return ''
      }
      if (isOpen) {
        base += data
        return data
      }
      if (said.length === 0) return data
      // One sign of a word whose others have no reading.
      const rest = [...base.trim()].length === 1 ? (han.exec(data)?.[0] ?? '') : ''
      return rest + end() + data.slice(rest.length)
    },
    end,
  }
}
