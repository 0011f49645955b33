import type { Settings } from '../../contract/settings.ts'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Section } from '../settings/section.tsx'
import { Grants } from './grants.tsx'
import { AgentLimits } from './limits.tsx'
import { NoteFolder, SearchAddress } from './places.tsx'
import { Servers } from './servers.tsx'
import { ToolList } from './tool-list.tsx'

/** What the agent may use, how far it may go, and whose tools are let in. `children` stand only once this does. */
export function ToolSections({ settings, children }: { settings: Settings; children?: ReactNode }) {
  const { t } = useTranslation()
  return (
    <>
      <Section id="tools" title={t('tools.title')} text={t('tools.text')}>
        <ToolList />
        <NoteFolder settings={settings} />
        <SearchAddress settings={settings} />
        <Grants grants={settings.toolGrants} />
      </Section>
      <Section id="mcp" title={t('tools.servers')} text={t('tools.serversText')}>
        <Servers />
      </Section>
      <Section id="agent" title={t('agent.limits')} text={t('agent.limitsText')}>
        <AgentLimits settings={settings} />
      </Section>
      {children}
    </>
  )
}
