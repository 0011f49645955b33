import { Trash2, TriangleAlert } from 'lucide-react'
import { useEffect, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { agentNameCharacters, agentSystemCharacters, type AgentProfile } from '../../contract/agent.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Labelled } from '../parts/labelled.tsx'
import { LengthNote } from '../parts/length-note.tsx'
import { Switch } from '../parts/switch.tsx'
import { removeAgent, sameAgent, saveAgent, useAgents } from '../state/agents.ts'
import { setAgent } from '../state/conversation.ts'
import { loadTools, useTools } from '../state/tools.ts'
import { AccessBadge } from '../tools/access.tsx'

const blank: AgentProfile = { name: '', system: '', tools: null, memory: true }

function ToolChoices({ chosen, onChange }: { chosen: string[] | null; onChange: (tools: string[] | null) => void }) {
  const { t } = useTranslation()
  const tools = useTools((state) => state.tools)?.filter((tool) => tool.enabled)
  useEffect(() => {
    void loadTools()
  }, [])
  const names = tools?.map((tool) => tool.name) ?? []
  return (
    <fieldset className="mt-4">
      <legend className="mb-1 text-small text-ink-2">{t('agent.tools')}</legend>
      <Switch
        label={t('agent.allTools')}
        detail={t('agent.allToolsText')}
        checked={chosen === null}
        onChange={(all) => onChange(all ? null : names)}
      />
      {chosen !== null && (
        <ul className="card max-h-60 overflow-y-auto p-1.5">
          {tools?.map((tool) => (
            <li key={tool.name}>
              <label className="menu-item">
                <input
                  type="checkbox"
                  className="size-3.5 flex-none accent-seal"
                  checked={chosen.includes(tool.name)}
                  onChange={(event) =>
                    onChange(event.target.checked ? [...chosen, tool.name] : chosen.filter((name) => name !== tool.name))
                  }
                />
                <span className="min-w-0 flex-1 truncate font-mono text-small" title={tool.description}>
                  {tool.name}
                </span>
                <AccessBadge access={tool.access} />
              </label>
            </li>
          ))}
        </ul>
      )}
    </fieldset>
  )
}

function Managing() {
  const { t } = useTranslation()
  const agents = useAgents((state) => state.agents) ?? []
  return (
    <ul className="card divide-y divide-line">
      {agents.map((each) => (
        <li key={each.id} className="flex items-center gap-3 py-1.5 ps-4 pe-2 text-ui">
          <span className="min-w-0 flex-1 truncate">{each.name}</span>
          <button
            type="button"
            className="icon-button"
            aria-label={t('agent.remove', { name: each.name })}
            onClick={() => void removeAgent(each)}
          >
            <Trash2 size={15} strokeWidth={1.6} />
          </button>
        </li>
      ))}
      {agents.length === 0 && <li className="px-4 py-3 text-ui text-ink-2">{t('agent.noneNamed')}</li>}
    </ul>
  )
}

/** How this chat's agent is set; it can be kept under a name for other chats. */
export function AgentDialog({ agent, managing, onClose }: { agent: AgentProfile | null; managing: boolean; onClose: () => void }) {
  const { t } = useTranslation()
  const [profile, setProfile] = useState(agent ?? blank)
  const [busy, setBusy] = useState(false)
  const [leaving, setLeaving] = useState(false)
  const notes = useId()
  const name = profile.name.trim()
  const replaces = useAgents((state) => state.agents?.some((each) => each.name === name) ?? false)
  if (managing) {
    return (
      <Dialog title={t('agent.manage')} onClose={onClose}>
        <Managing />
      </Dialog>
    )
  }
  const tooLong = name.length > agentNameCharacters || profile.system.length > agentSystemCharacters
  const changed = !sameAgent(profile, agent ?? blank)
  async function use(keep: boolean) {
    // Saved by the user, it is theirs.
    const { imported: _imported, ...seen } = profile
    const own = { ...seen, name }
    setBusy(true)
    const fine = !keep || (await saveAgent(own))
    if (fine) await setAgent(own)
    setBusy(false)
    if (fine) onClose()
  }
  return (
    <Dialog title={t('agent.setUpTitle')} onClose={() => (changed && !leaving ? setLeaving(true) : onClose())} wide>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (!tooLong) void use(false)
        }}
      >
        {profile.imported === true && (
          <p className="mb-4 flex items-start gap-2 rounded-md bg-warn-wash px-3 py-2 text-small text-ink">
            <TriangleAlert size={15} strokeWidth={1.6} className="mt-0.5 flex-none text-warn-ink" aria-hidden="true" />
            {t('agent.importedText')}
          </p>
        )}
        <Labelled label={t('agent.name')} className="">
          <input
            className="field"
            aria-invalid={name.length > agentNameCharacters}
            aria-describedby={`${notes}-name`}
            placeholder={t('agent.thisChats')}
            value={profile.name}
            onChange={(event) => setProfile({ ...profile, name: event.target.value })}
          />
          <LengthNote id={`${notes}-name`} length={name.length} most={agentNameCharacters} />
        </Labelled>
        <Labelled label={t('agent.system')}>
          <textarea
            className="field min-h-24"
            aria-invalid={profile.system.length > agentSystemCharacters}
            aria-describedby={`${notes}-system`}
            placeholder={t('agent.systemExample')}
            value={profile.system}
            onChange={(event) => setProfile({ ...profile, system: event.target.value })}
          />
          <LengthNote id={`${notes}-system`} length={profile.system.length} most={agentSystemCharacters} />
        </Labelled>
        <ToolChoices chosen={profile.tools} onChange={(tools) => setProfile({ ...profile, tools })} />
        <div className="mt-2">
          <Switch
            label={t('agent.memory')}
            detail={t('agent.memoryText')}
            checked={profile.memory}
            onChange={(memory) => setProfile({ ...profile, memory })}
          />
        </div>
        <div className="sticky -bottom-5 -mb-5 flex flex-wrap items-center gap-2 bg-paper pt-3 pb-5">
          <div role="alert" className="basis-full text-small text-warn-ink empty:hidden">
            {leaving && changed && t('agent.unsaved')}
          </div>
          <button type="button" className="button" disabled={busy || tooLong || name === ''} onClick={() => void use(true)}>
            {t(replaces ? 'agent.saveOver' : 'agent.saveNamed')}
          </button>
          <span className="flex-1" />
          <button type="button" className="button" onClick={onClose}>
            {t('common.cancel')}
          </button>
          <button type="submit" className="button button-primary" disabled={busy || tooLong}>
            {t('agent.use')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
