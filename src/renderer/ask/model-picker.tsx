import { Cpu } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { useTranslation } from 'react-i18next'
import type { ModelRef } from '../../contract/models.ts'
import { MenuChoice } from '../parts/menu-choice.tsx'
import { canChat, sameModel, useModels } from '../state/models.ts'
import { useDraft } from '../state/draft.ts'
import { go } from '../state/route.ts'
import { PickerButton } from './picker-button.tsx'

function Choice({ label, chosen, detail, onChoose }: { label: string; chosen: boolean; detail?: string; onChoose: () => void }) {
  return (
    <MenuChoice checked={chosen} onSelect={onChoose}>
      <span className="min-w-0 flex-1">
        {label}
        {detail !== undefined && <span className="block text-small text-ink-2">{detail}</span>}
      </span>
    </MenuChoice>
  )
}

/** Who answers the next question: left to Siku, a certain model, or no model at all. */
export function ModelPicker() {
  const { t } = useTranslation()
  const state = useModels((models) => models.state)
  const model = useDraft((draft) => draft.model)
  function choose(next: ModelRef | null | undefined) {
    useDraft.setState({ model: next })
  }
  // Until it is known who answers nothing is claimed.
  const automatic = state === null ? t('ask.automatic') : (state.effective?.model ?? t('ask.noModel'))
  const label = model === undefined ? automatic : model === null ? t('ask.noModel') : model.model
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>
        <PickerButton icon={Cpu} aria-label={t('ask.modelIs', { model: label })}>
          <span className="truncate @max-[420px]:hidden">{label}</span>
        </PickerButton>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu w-72" align="start" sideOffset={6}>
          <Choice label={t('ask.automatic')} detail={automatic} chosen={model === undefined} onChoose={() => choose(undefined)} />
          <Choice label={t('ask.noModel')} detail={t('ask.noModelText')} chosen={model === null} onChoose={() => choose(null)} />
          {state?.providers
            .filter((provider) => provider.reachable)
            .map((provider) => (
              <DropdownMenu.Group key={provider.provider.id}>
                <DropdownMenu.Label className="menu-label">{provider.provider.name}</DropdownMenu.Label>
                {provider.models.filter(canChat).map((each) => (
                  <Choice
                    key={each.ref.model}
                    label={each.ref.model}
                    chosen={model !== undefined && model !== null && sameModel(model, each.ref)}
                    onChoose={() => choose(each.ref)}
                  />
                ))}
              </DropdownMenu.Group>
            ))}
          <DropdownMenu.Separator className="my-1 border-t border-line" />
          <DropdownMenu.Item className="menu-item ps-[35px]" onSelect={() => go('models')}>
            {t('ask.manageModels')}
          </DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}
