import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import agent_en from './en/agent.json'
import ask_en from './en/ask.json'
import common_en from './en/common.json'
import errors_en from './en/errors.json'
import evaluate_en from './en/evaluate.json'
import library_en from './en/library.json'
import memory_en from './en/memory.json'
import models_en from './en/models.json'
import settings_en from './en/settings.json'
import tools_en from './en/tools.json'
import agent_zh from './zh/agent.json'
import ask_zh from './zh/ask.json'
import common_zh from './zh/common.json'
import errors_zh from './zh/errors.json'
import evaluate_zh from './zh/evaluate.json'
import library_zh from './zh/library.json'
import memory_zh from './zh/memory.json'
import models_zh from './zh/models.json'
import settings_zh from './zh/settings.json'
import tools_zh from './zh/tools.json'

export { i18next }
export type Locale = 'zh' | 'en'

const en = {
  common: common_en,
  ask: ask_en,
  library: library_en,
  models: models_en,
  settings: settings_en,
  errors: errors_en,
  agent: agent_en,
  evaluate: evaluate_en,
  memory: memory_en,
  tools: tools_en,
}
const zh = {
  common: common_zh,
  ask: ask_zh,
  library: library_zh,
  models: models_zh,
  settings: settings_zh,
  errors: errors_zh,
  agent: agent_zh,
  evaluate: evaluate_zh,
  memory: memory_zh,
  tools: tools_zh,
}

type Words = typeof en

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: { translation: Words }
  }
}

export function systemLocale(): Locale {
  const first = navigator.languages.find((language) => /^(zh|en)\b/i.test(language)) ?? navigator.language
  return first.toLowerCase().startsWith('zh') ? 'zh' : 'en'
}

export function startWords(locale: Locale): void {
  void i18next.use(initReactI18next).init({
    resources: { en: { translation: en }, zh: { translation: zh } },
    lng: locale,
    fallbackLng: 'en',
    interpolation: { escapeValue: false },
    initAsync: false,
  })
}
