/** Waits for the promise, but no longer than that. */
export async function soon<T>(promise: Promise<T>, ms: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<null>((resolve) => (timer = setTimeout(resolve, ms, null)))
  const first = await Promise.race([promise, late])
  clearTimeout(timer)
  return first
}
