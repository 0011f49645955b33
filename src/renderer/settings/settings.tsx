import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { later } from '../parts/later.tsx'
import { LoadingPanel } from '../parts/state-panel.tsx'
import { Segments } from '../parts/segments.tsx'
import { useRoute } from '../state/route.ts'
import { loadSettings, patchSettings, useSettings } from '../state/settings.ts'
import { About } from './about.tsx'
import { Backups } from './backups.tsx'
import { Contents } from './contents.tsx'
import { EmbeddingChoice } from './embedding-choice.tsx'
import { Health } from './health.tsx'
import { IgnoreRules } from './ignore-rules.tsx'
import { Limits } from './limits.tsx'
import { Network } from './network.tsx'
import { showPart } from './parts.ts'
import { Section } from './section.tsx'
import './settings.css'

const ToolSections = later(() => import('../tools/tool-sections.tsx').then((module) => module.ToolSections))

const themes = ['system', 'light', 'dark'] as const

/** Brings the section into sight that the address names. What is above may still grow while it loads: it is held for a moment. */
function ShowSection() {
  const part = useRoute((route) => route.part)
  useEffect(() => {
    if (part === null) return
    const show = () => showPart(part)
    show()
    const timers = [150, 400].map((delay) => setTimeout(show, delay))
    return () => timers.forEach(clearTimeout)
  }, [part])
  return null
}

export function Settings() {
  const { t } = useTranslation()
  const settings = useSettings((state) => state.settings)
  useEffect(() => {
    void loadSettings()
  }, [])
  return (
    <main className="flex min-w-0 flex-1 flex-col" aria-label={t('common.settings')}>
      <header className="flex h-13 flex-none items-center border-b border-line px-8 max-[1000px]:px-5">
        <h1 className="text-[14.5px] font-semibold">{t('common.settings')}</h1>
      </header>
      <div className="settings-page min-h-0 flex-1 overflow-y-auto">
        <Contents />
        <div className="mx-auto max-w-[900px] px-8 pb-10 max-[1000px]:px-5">
          {settings === null ? (
            <LoadingPanel />
          ) : (
            <>
              <Section id="language" title={t('settings.language')}>
                <Segments
                  label={t('settings.language')}
                  value={settings.language}
                  choices={[
                    { value: 'system', label: t('settings.followSystem') },
                    { value: 'zh', label: t('settings.chinese'), lang: 'zh' },
                    { value: 'en', label: t('settings.english'), lang: 'en' },
                  ]}
                  onChange={(language) => void patchSettings({ language })}
                />
              </Section>
              <Section id="theme" title={t('settings.theme')}>
                <Segments
                  label={t('settings.theme')}
                  value={settings.theme}
                  choices={themes.map((theme) => ({
                    value: theme,
                    label: theme === 'system' ? t('settings.followSystem') : t(`settings.${theme}`),
                  }))}
                  onChange={(theme) => void patchSettings({ theme })}
                />
              </Section>
              <Section id="providers" title={t('settings.providers')} text={t('settings.providersText')}>
                <p className="flex flex-wrap items-center gap-2">
                  {settings.providers.map((provider) => (
                    <span key={provider.id} className="tag">
                      {provider.name}
                    </span>
                  ))}
                  <a href="#/models" className="button button-small no-underline">
                    {t('ask.manageModels')}
                  </a>
                </p>
              </Section>
              <ToolSections settings={settings}>
                <ShowSection />
              </ToolSections>
              <EmbeddingChoice settings={settings} />
              <IgnoreRules settings={settings} />
              <Limits settings={settings} />
              <Network settings={settings} />
              <Health settings={settings} />
              <Backups />
              <About />
            </>
          )}
        </div>
      </div>
    </main>
  )
}
