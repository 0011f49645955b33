import {
  Archive,
  Bookmark,
  Bot,
  ChartScatter,
  Cpu,
  FileUp,
  FolderPlus,
  Globe,
  Keyboard,
  LibraryBig,
  MessageSquare,
  Moon,
  Plus,
  Settings,
  SlidersHorizontal,
  Wifi,
  WifiOff,
  type LucideIcon,
} from 'lucide-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { TurnMode } from '../../contract/answer.ts'
import { pickFiles } from '../parts/pick-files.ts'
import { settingsParts } from '../settings/parts.ts'
import { backUpFromAfar } from '../state/backups.ts'
import { importChat } from '../state/chats.ts'
import { switchMode, useConversation } from '../state/conversation.ts'
import { pickFolders } from '../state/library.ts'
import { go } from '../state/route.ts'
import { patchSettings, switchOffline, useSettings } from '../state/settings.ts'

export interface Entry {
  id: string
  icon: LucideIcon
  label: string
  detail?: string
  run: () => void
}

/** What another dialog is opened for, once the palette is gone. */
export interface PaletteDialogs {
  onShortcuts: () => void
  onAdd: () => void
}

/** Switches the composer of the open chat, and goes there. */
function begin(mode: TurnMode): void {
  go('ask', useConversation.getState().chatId)
  switchMode(mode)
  requestAnimationFrame(() => document.getElementById('composer')?.focus())
}

/** Everything that can be done or gone to from anywhere, the screens first. */
export function useActions({ onShortcuts, onAdd }: PaletteDialogs): Entry[] {
  const { t, i18n } = useTranslation()
  const offline = useSettings((state) => state.settings?.offline === true)
  const canPick = useSettings((state) => state.info?.canPickFolders === true)
  return useMemo(
    () => [
      { id: 'new', icon: Plus, label: t('ask.newChat'), run: () => go('ask') },
      { id: 'ask', icon: MessageSquare, label: t('common.ask'), run: () => go('ask') },
      { id: 'library', icon: LibraryBig, label: t('common.library'), run: () => go('library') },
      { id: 'models', icon: Cpu, label: t('common.models'), run: () => go('models') },
      { id: 'evaluate', icon: ChartScatter, label: t('common.evaluate'), run: () => go('evaluate') },
      { id: 'memory', icon: Bookmark, label: t('common.memory'), run: () => go('memory') },
      { id: 'settings', icon: Settings, label: t('common.settings'), run: () => go('settings') },
      { id: 'agent', icon: Bot, label: t('agent.askAgent'), run: () => begin('agent') },
      { id: 'answer', icon: MessageSquare, label: t('agent.askAnswer'), run: () => begin('answer') },
      { id: 'add', icon: FolderPlus, label: t('library.addFolder'), run: () => (canPick ? void pickFolders() : onAdd()) },
      {
        id: 'offline',
        icon: offline ? Wifi : WifiOff,
        label: t(offline ? 'settings.offlineOff' : 'settings.offlineOn'),
        run: () => void switchOffline(!offline),
      },
      { id: 'backup', icon: Archive, label: t('settings.backupNow'), run: () => void backUpFromAfar() },
      { id: 'shortcuts', icon: Keyboard, label: t('common.shortcuts'), detail: '?', run: onShortcuts },
      { id: 'import', icon: FileUp, label: t('ask.importJson'), run: () => pickFiles('.json,application/json', importChat) },
      {
        id: 'otherTheme',
        icon: Moon,
        label: t('common.otherTheme'),
        run: () => void patchSettings({ theme: document.documentElement.dataset['theme'] === 'dark' ? 'light' : 'dark' }),
      },
      {
        id: 'otherLanguage',
        icon: Globe,
        label: t('common.otherLanguage'),
        run: () => void patchSettings({ language: i18n.language === 'zh' ? 'en' : 'zh' }),
      },
      ...settingsParts.map(({ part, title }) => ({
        id: `settings-${part}`,
        icon: SlidersHorizontal,
        label: t(title),
        detail: t('common.settings'),
        run: () => go('settings', part),
      })),
    ],
    [t, i18n.language, offline, canPick, onShortcuts, onAdd],
  )
}

/** Whether a label holds what was typed, however either is spaced: "backup" means "Back up now" too. */
export function holds(label: string, wanted: string): boolean {
  const bare = (text: string) => text.toLowerCase().replace(/\s+/g, '')
  return bare(label).includes(bare(wanted))
}
