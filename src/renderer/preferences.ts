/** Small things of this window that are no setting of the library: widths, and what to paint before the core answers. */
export function readPreference(name: string): string | null {
  try {
    return localStorage.getItem(`siku.${name}`)
  } catch {
    return null
  }
}

export function writePreference(name: string, value: string): void {
  try {
    localStorage.setItem(`siku.${name}`, value)
  } catch {
    // A browser that keeps nothing only forgets the width.
  }
}

export function forgetPreference(name: string): void {
  try {
    localStorage.removeItem(`siku.${name}`)
  } catch {
    // Then there is nothing to forget.
  }
}
