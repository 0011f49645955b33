import { Popover } from 'radix-ui'
import { useTranslation } from 'react-i18next'
import type { ContextUse } from '../../contract/answer.ts'
import { useFormat } from '../format.ts'

const parts = ['system', 'tools', 'passages', 'history', 'question', 'reserved'] as const

/** How much of the model's window was used, and by what. */
export function ContextMeter({ use }: { use: ContextUse }) {
  const { t } = useTranslation()
  const format = useFormat()
  const used = parts.reduce((sum, part) => sum + use[part], 0)
  const fraction = use.windowTokens === 0 ? 0 : Math.min(1, used / use.windowTokens)
  return (
    <Popover.Root>
      <Popover.Trigger asChild>
        <button type="button" className="flex items-center gap-2 rounded-sm border-0 bg-transparent p-0 hover:text-ink">
          <span className="bar w-18" aria-hidden="true">
            <i style={{ width: `${fraction * 100}%` }} />
          </span>
          {t('ask.context', { share: format.percent(fraction) })}
        </button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content className="menu w-72 p-4!" align="start" sideOffset={6} aria-label={t('ask.contextTitle')}>
          <p className="mb-2 font-semibold">{t('ask.contextTitle')}</p>
          <dl className="text-small">
            {parts
              .filter((part) => part !== 'tools' || use.tools > 0)
              .map((part) => (
                <div key={part} className="flex items-center gap-3 py-0.5">
                  <dt className="w-24 text-ink-2">{t(`ask.contextPart.${part}`)}</dt>
                  <dd className="bar flex-1" aria-hidden="true">
                    <i style={{ width: `${use.windowTokens === 0 ? 0 : (use[part] / use.windowTokens) * 100}%` }} />
                  </dd>
                  <dd className="w-14 text-end tabular-nums">{format.count(use[part])}</dd>
                </div>
              ))}
            <div className="mt-1.5 flex justify-between border-t border-line pt-1.5">
              <dt className="text-ink-2">{t('ask.contextWindow')}</dt>
              <dd className="tabular-nums">{t('ask.tokens', { count: use.windowTokens, tokens: format.count(use.windowTokens) })}</dd>
            </div>
          </dl>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}
