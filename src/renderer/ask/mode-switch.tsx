import { useTranslation } from 'react-i18next'
import type { TurnMode } from '../../contract/answer.ts'
import { switchMode, useConversation } from '../state/conversation.ts'

const modes = ['answer', 'agent'] as const satisfies readonly TurnMode[]

/** Whether the next question is answered from the library or worked on with tools. */
export function ModeSwitch() {
  const { t } = useTranslation()
  const mode = useConversation((state) => state.mode)
  return (
    <div role="radiogroup" aria-label={t('agent.mode')} className="inline-flex flex-none rounded-full border border-line p-px">
      {modes.map((each) => (
        <label
          key={each}
          title={t(`agent.modeText.${each}`)}
          className="relative cursor-pointer rounded-full px-2.5 py-0.5 @max-[600px]:px-2 text-small text-ink-2 hover:text-ink has-checked:bg-sunk has-checked:text-ink has-checked:ring-1 has-checked:ring-line-2 has-focus-visible:outline-2 has-focus-visible:outline-seal"
        >
          <input
            type="radio"
            name="composer-mode"
            className="sr-only"
            aria-label={t(`agent.modeName.${each}`)}
            checked={mode === each}
            onChange={() => switchMode(each)}
          />
          {t(`agent.modeName.${each}`)}
        </label>
      ))}
    </div>
  )
}
