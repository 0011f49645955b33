/** The last part of a path of either platform. */
export function fileName(path: string): string {
  return path.split(/[\\/]/).filter(Boolean).at(-1) ?? path
}

export function parentOf(path: string): string {
  const parts = path.split(/[\\/]/)
  return parts.slice(0, -1).join(path.includes('\\') ? '\\' : '/')
}
