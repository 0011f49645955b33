import { useTranslation } from 'react-i18next'
import type { ToolGrant } from '../../contract/tools.ts'
import { Visible } from '../parts/visible.tsx'
import { useServers } from '../state/mcp.ts'
import { takeBackGrant } from '../state/tools.ts'
import { siteName } from './site-name.ts'

/** What was allowed for always, to be taken back. */
export function Grants({ grants }: { grants: ToolGrant[] }) {
  const { t } = useTranslation()
  const servers = useServers((state) => state.servers)
  return (
    <>
      <h3 className="mt-5 mb-2 text-ui">{t('tools.grants')}</h3>
      {grants.length === 0 ? (
        <p className="text-small text-ink-2">{t('tools.noGrants')}</p>
      ) : (
        <ul className="card divide-y divide-line">
          {grants.map((grant) => (
            <li key={`${grant.tool} ${grant.site}`} className="flex items-center gap-3 py-1.5 ps-4 pe-2 text-small">
              <span className="font-mono break-all">{grant.tool}</span>
              <span className="min-w-0 flex-1 text-ink-2 [overflow-wrap:anywhere]">
                <Visible text={siteName(grant, servers, t)} />
              </span>
              <button
                type="button"
                className="button button-small"
                aria-label={t('tools.takeBackThis', { tool: grant.tool, site: siteName(grant, servers, t) })}
                onClick={() => void takeBackGrant(grant)}
              >
                {t('tools.takeBack')}
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
