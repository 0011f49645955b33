/** Token ids from the splitting, kept until the same text is embedded, so that text is tokenised once. Bounded: what does not fit is tokenised again. */
export interface TokenCache {
  put(textHash: string, ids: Int32Array): void
  take(textHash: string): Int32Array | undefined
  clear(): void
}

const entryOverhead = 200

export function createTokenCache(limitBytes = 64 << 20): TokenCache {
  const entries = new Map<string, Int32Array>()
  let bytes = 0
  return {
    put(textHash, ids) {
      const size = ids.byteLength + entryOverhead
      if (bytes + size > limitBytes || entries.has(textHash)) return
      // What came in a message is a view of that whole message.
      entries.set(textHash, ids.slice())
      bytes += size
    },
    take(textHash) {
      const ids = entries.get(textHash)
      if (ids === undefined) return undefined
      entries.delete(textHash)
      bytes -= ids.byteLength + entryOverhead
      return ids
    },
    clear() {
      entries.clear()
      bytes = 0
    },
  }
}
