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

/** Shows the change at once and takes it back when the core refuses it. */
export async function patchSettings(patch: SettingsPatch): Promise<void> {
  const before = useSettings.getState().settings
  if (before !== null) useSettings.setState({ settings: { ...before, ...patch } as Settings })
  try {
    useSettings.setState({ settings: await client.settings.patch(patch) })
  } catch (error) {
    useSettings.setState({ settings: before })
    reportProblem(error)
  }
}

/** The switch by a key, where it is not in sight: how it stands then is said. */
export async function switchOffline(offline: boolean): Promise<void> {
  await patchSettings({ offline })
  const now = useSettings.getState().settings?.offline
  if (now === offline) showToast({ text: i18next.t(offline ? 'settings.offlineNow' : 'settings.onlineNow') })
}
