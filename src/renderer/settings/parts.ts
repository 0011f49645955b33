/** The sections of the settings in the order in which they stand, and the key of each one's title. */
export const settingsParts = [
  { part: 'language', title: 'settings.language' },
  { part: 'theme', title: 'settings.theme' },
  { part: 'providers', title: 'settings.providers' },
  { part: 'tools', title: 'tools.title' },
  { part: 'notes', title: 'tools.noteFolder' },
  { part: 'mcp', title: 'tools.servers' },
  { part: 'agent', title: 'agent.limits' },
  { part: 'embedding', title: 'settings.embedding' },
  { part: 'ignore', title: 'settings.ignore' },
  { part: 'limits', title: 'settings.limits' },
  { part: 'network', title: 'settings.network' },
  { part: 'health', title: 'settings.health' },
  { part: 'backups', title: 'settings.backups' },
  { part: 'data', title: 'settings.data' },
  { part: 'about', title: 'settings.about' },
] as const

/** Brings a section into sight; null when it is not there yet. */
export function showPart(part: string): HTMLElement | null {
  const section = document.getElementById(`section-${part}`)
  section?.scrollIntoView({ block: 'start' })
  return section
}
