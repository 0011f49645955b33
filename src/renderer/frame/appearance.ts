import { readPreference, writePreference } from '../preferences.ts'
import { useSettings } from '../state/settings.ts'
import { i18next, startWords, systemLocale, type Locale } from '../words/words.ts'

const darkSystem = window.matchMedia('(prefers-color-scheme: dark)')

function localeOf(choice: string | null): Locale {
  return choice === 'zh' || choice === 'en' ? choice : systemLocale()
}

function paint(theme: string | null): void {
  const dark = theme === 'dark' || (theme !== 'light' && darkSystem.matches)
  document.documentElement.dataset['theme'] = dark ? 'dark' : 'light'
}

function speak(locale: Locale): void {
  document.documentElement.lang = locale === 'zh' ? 'zh-CN' : 'en'
  document.title = i18next.t('common.appTitle')
}

/** Language and theme from the first paint on: as they were last, until the settings have come; then as they change. */
export function startAppearance(): void {
  startWords(localeOf(readPreference('language')))
  speak(localeOf(readPreference('language')))
  paint(readPreference('theme'))
  darkSystem.addEventListener('change', () => paint(readPreference('theme')))
  window.addEventListener('languagechange', () => void i18next.changeLanguage(localeOf(readPreference('language'))))
  i18next.on('languageChanged', (locale) => speak(locale === 'zh' ? 'zh' : 'en'))
  useSettings.subscribe(({ settings }, before) => {
    if (settings === null) return
    if (settings.theme !== before.settings?.theme) {
      writePreference('theme', settings.theme)
      paint(settings.theme)
    }
    if (settings.language !== before.settings?.language) {
      writePreference('language', settings.language)
      void i18next.changeLanguage(localeOf(settings.language))
    }
  })
}
