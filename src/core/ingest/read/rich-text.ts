const raisedSigns: Record<string, string> = {
  ...{ '0': '⁰', '1': '¹', '2': '²', '3': '³', '4': '⁴', '5': '⁵', '6': '⁶', '7': '⁷', '8': '⁸', '9': '⁹' },
  ...{ '+': '⁺', '-': '⁻', '−': '⁻' },
}

/** A power stays one when its formatting is gone: 10 with a raised 6 is 10⁶. Other words that are raised stay as they are. */
export function raisedText(text: string): string {
  return /^\s*[-+−]?\d+\s*$/.test(text) ? text.replace(/[-+−\d]/g, (sign) => raisedSigns[sign] ?? sign) : text
}

/** Follows the runs of rich text in a spreadsheet (ECMA-376 part 1, 18.4.4), by the local names of its elements. */
export function createRaised() {
  let isRaised = false
  return {
    open(tag: string, attributes: Readonly<Record<string, string>>): void {
      if (tag === 'r') isRaised = false
      else if (tag === 'vertAlign') isRaised = attributes['val'] === 'superscript'
    },
    close(tag: string): void {
      if (tag === 'r' || tag === 'si') isRaised = false
    },
    shown: (text: string): string => (isRaised ? raisedText(text) : text),
  }
}
