import { Bot, Trash2 } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AgentProfile } from '../../contract/agent.ts'
import { later } from '../parts/later.tsx'
import { MenuChoice } from '../parts/menu-choice.tsx'
import { loadAgents, sameAgent, useAgents } from '../state/agents.ts'
import { setAgent, useConversation } from '../state/conversation.ts'
import { PickerButton } from './picker-button.tsx'

const AgentDialog = later(() => import('./agent-dialog.tsx').then((module) => module.AgentDialog), { dialog: true })

function Choice({ label, chosen, onChoose }: { label: string; chosen: boolean; onChoose: () => void }) {
  return (
    <MenuChoice checked={chosen} onSelect={onChoose}>
      <span className="min-w-0 flex-1 truncate">{label}</span>
    </MenuChoice>
  )
}

/** Which agent works in this chat: Siku's own, a named one, or one set for this chat alone. */
export function AgentPicker() {
  const { t } = useTranslation()
  const agents = useAgents((state) => state.agents)
  const agent = useConversation((state) => state.agent)
  const [dialog, setDialog] = useState<'set' | 'manage' | null>(null)
  useEffect(() => {
    void loadAgents()
    AgentDialog.preload()
  }, [])
  const unseen = agent?.imported === true
  const named = agents?.find((each) => agent !== null && !unseen && sameAgent(each, agent))
  const label = agent === null ? t('agent.own') : (named?.name ?? (agent.name === '' ? t('agent.thisChats') : agent.name))
  function choose(next: AgentProfile | null) {
    void setAgent(next)
  }
  return (
    <>
      <DropdownMenu.Root modal={false}>
        <DropdownMenu.Trigger asChild>
          <PickerButton
            icon={Bot}
            className="max-w-44"
            aria-label={t(unseen ? 'agent.agentUnused' : 'agent.agentIs', { name: label })}
            title={unseen ? t('agent.importedText') : t('agent.agentIs', { name: label })}
          >
            {unseen && <span className="dot" data-tone="warn" aria-hidden="true" />}
            <span className={`truncate @max-[420px]:hidden ${unseen ? 'text-ink-3' : ''}`}>{label}</span>
          </PickerButton>
        </DropdownMenu.Trigger>
        <DropdownMenu.Portal>
          <DropdownMenu.Content className="menu w-68" align="start" sideOffset={6}>
            <Choice label={t('agent.own')} chosen={agent === null} onChoose={() => choose(null)} />
            {agents !== null && agents.length > 0 && (
              <DropdownMenu.Group>
                <DropdownMenu.Label className="menu-label">{t('agent.named')}</DropdownMenu.Label>
                {agents.map(({ id, ...profile }) => (
                  <Choice
                    key={id}
                    label={profile.name}
                    chosen={agent !== null && !unseen && sameAgent(profile, agent)}
                    onChoose={() => choose(profile)}
                  />
                ))}
              </DropdownMenu.Group>
            )}
            {agent !== null && named === undefined && !unseen && <Choice label={label} chosen onChoose={() => undefined} />}
            {unseen && (
              <DropdownMenu.Item className="menu-item" onSelect={() => setDialog('set')}>
                <span className="grid w-4 flex-none place-items-center">
                  <span className="dot" data-tone="warn" aria-hidden="true" />
                </span>
                <span className="min-w-0 flex-1">
                  <span className="block truncate">{label}</span>
                  <span className="block text-tiny text-ink-2">{t('agent.unused')}</span>
                </span>
              </DropdownMenu.Item>
            )}
            <DropdownMenu.Separator className="my-1 border-t border-line" />
            <DropdownMenu.Item className="menu-item ps-[35px]" onSelect={() => setDialog('set')}>
              {t('agent.setUp')}
            </DropdownMenu.Item>
            {agents !== null && agents.length > 0 && (
              <DropdownMenu.Item className="menu-item" onSelect={() => setDialog('manage')}>
                <Trash2 size={15} strokeWidth={1.6} aria-hidden="true" /> {t('agent.removeOne')}
              </DropdownMenu.Item>
            )}
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
      {dialog !== null && <AgentDialog agent={agent} managing={dialog === 'manage'} onClose={() => setDialog(null)} />}
    </>
  )
}
