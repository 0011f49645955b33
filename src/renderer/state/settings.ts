import { create } from 'zustand'
import type { Settings, SettingsPatch } from '../../contract/settings.ts'
import { client, type Client } from '../client.ts'
import { i18next } from '../words/words.ts'
import { reportProblem, showToast } from './toasts.ts'

export type SystemInfo = Awaited<ReturnType<Client['system']['info']>>

export const useSettings = create<{ settings: Settings | null; info: SystemInfo | null }>(() => ({ settings: null, info: null }))

export async function loadSettings(): Promise<void> {
  try {
    const [settings, info] = await Promise.all([client.settings.get({}), client.system.info({})])
    useSettings.setState({ settings, info })
  } catch (error) {
    reportProblem(error)
  }
}

let patches = 0
let underWay = 0

/** Shows the change at once and takes it back when the core refuses it. What is changed meanwhile stays as it is shown. */
export async function patchSettings(patch: SettingsPatch): Promise<void> {
  const number = (patches += 1)
  underWay += 1
  const before = useSettings.getState().settings
  if (before !== null) useSettings.setState({ settings: { ...before, ...patch } as Settings })
  try {
    const settings = await client.settings.patch(patch)
    if (number === patches) useSettings.setState({ settings })
  } catch (error) {
    if (number === patches) useSettings.setState({ settings: before })
    reportProblem(error)
  } finally {
    underWay -= 1
  }
}

/** Takes over what another window or program set. True when something differs from what was known. */
export async function takeOverSettings(): Promise<boolean> {
  const at = patches
  const settings = await client.settings.get({})
  const { settings: known } = useSettings.getState()
  if (known === null || underWay > 0 || at !== patches || JSON.stringify(settings) === JSON.stringify(known)) return false
  useSettings.setState({ settings })
  return true
}

/** The switch by a key, where it is not in sight: how it stands then is said. */
export async function switchOffline(offline: boolean): Promise<void> {
  await patchSettings({ offline })
  const now = useSettings.getState().settings?.offline
  if (now === offline) showToast({ text: i18next.t(offline ? 'settings.offlineNow' : 'settings.onlineNow') })
}
