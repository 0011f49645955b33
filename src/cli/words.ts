import { english, type Words } from './words/en.ts'
import { chinese } from './words/zh.ts'

export type { Words } from './words/en.ts'

/** The terminal speaks the language of its locale: Chinese for zh, English for everything else. */
export type Locale = 'zh' | 'en'

export function localeOf(env: Readonly<Record<string, string | undefined>>): Locale {
  const said = env['LC_ALL'] || env['LC_MESSAGES'] || env['LANG'] || env['LANGUAGE'] || systemLocale()
  return /^zh/i.test(said) ? 'zh' : 'en'
}

function systemLocale(): string {
  return process.platform === 'win32' || process.platform === 'darwin' ? Intl.DateTimeFormat().resolvedOptions().locale : 'en'
}

export function wordsFor(locale: Locale): Words {
  return locale === 'zh' ? chinese : english
}
