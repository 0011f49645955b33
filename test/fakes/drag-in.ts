import type { Page } from 'playwright-core'

interface Counting {
  dropsSeen?: number
}

/**
 * A drop as the browser itself makes it: the page gets real files and folders. A browser that has not heard yet that the page
 * takes them loses the drop: then it is made again, as a hand would.
 */
export async function dragIn(page: Page, paths: string[], at: { x: number; y: number }): Promise<void> {
  await page.evaluate(() => {
    const counting = window as Counting
    if (counting.dropsSeen === undefined) window.addEventListener('drop', () => (counting.dropsSeen = (counting.dropsSeen ?? 0) + 1), true)
    counting.dropsSeen = 0
  })
  const session = await page.context().newCDPSession(page)
  const data = { items: [], files: paths, dragOperationsMask: 1 }
  for (let tries = 0; tries < 10; tries += 1) {
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
      await session.send('Input.dispatchDragEvent', { type, ...at, data })
      // What the page said of the event before is heard by then.
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50))))
    }
    const seen = await page
      .waitForFunction(() => ((window as Counting).dropsSeen ?? 0) > 0, undefined, { timeout: 2_000 })
      .then(() => true)
      .catch(() => false)
    if (seen) break
  }
  await session.detach()
}
