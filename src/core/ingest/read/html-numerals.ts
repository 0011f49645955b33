const roman: [number, string][] = [
  [1000, 'm'],
  [900, 'cm'],
  [500, 'd'],
  [400, 'cd'],
  [100, 'c'],
  [90, 'xc'],
  [50, 'l'],
  [40, 'xl'],
  [10, 'x'],
  [9, 'ix'],
  [5, 'v'],
  [4, 'iv'],
  [1, 'i'],
]

/** A number of an ordered list as its type shows it. */
export function numeral(number: number, type: string): string {
  let text = ''
  let rest = number
  if (/^[ai]$/i.test(type) && number > 0 && number < 4000) {
    if (type.toLowerCase() === 'a')
      for (; rest > 0; rest = Math.floor((rest - 1) / 26)) text = String.fromCharCode(97 + ((rest - 1) % 26)) + text
    else for (const [value, letters] of roman) for (; rest >= value; rest -= value) text += letters
    return type === type.toLowerCase() ? text : text.toUpperCase()
  }
  return String(number)
}
