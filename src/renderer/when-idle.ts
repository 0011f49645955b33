/** Runs it once the page has nothing else to do, at the latest after 3 s. Answers what takes it back. Safari has no such call of its own. */
export function whenIdle(run: () => void): () => void {
  if (typeof window.requestIdleCallback !== 'function') {
    const timer = window.setTimeout(run, 1000)
    return () => window.clearTimeout(timer)
  }
  const handle = window.requestIdleCallback(run, { timeout: 3000 })
  return () => window.cancelIdleCallback(handle)
}
