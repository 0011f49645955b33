import { useTranslation } from 'react-i18next'
import { go, useRoute } from '../state/route.ts'
import { settingsParts, showPart } from './parts.ts'

/** What the settings hold, to be gone to: a column beside them where there is room, else lines above them. */
export function Contents() {
  const { t } = useTranslation()
  const current = useRoute((route) => route.part)
  return (
    <nav aria-label={t('settings.contents')} className="settings-contents text-small">
      <ul>
        {settingsParts.map(({ part, title }) => (
          <li key={part}>
            <a
              href={`#/settings/${part}`}
              aria-current={part === current ? 'location' : undefined}
              className="block rounded-md px-2 py-0.75 text-ink-2 no-underline hover:bg-hover hover:text-ink aria-[current=location]:text-ink"
              onClick={(event) => {
                if (event.ctrlKey || event.metaKey || event.shiftKey) return
                event.preventDefault()
                go('settings', part)
                // The address may name it already, while something else is in sight.
                showPart(part)?.focus({ preventScroll: true })
              }}
            >
              {t(title)}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
