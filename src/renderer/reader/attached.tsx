import { Paperclip } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DocumentRow } from '../../contract/library.ts'
import { client } from '../client.ts'
import { useFormat } from '../format.ts'
import { StatusDot } from '../library/status-dot.tsx'
import { useRefreshed } from '../parts/use-refreshed.ts'
import { Visible } from '../parts/visible.tsx'
import { useLibrary } from '../state/library.ts'
import { openDocument } from '../state/reader.ts'
import { reportProblem } from '../state/toasts.ts'

const most = 200

/** What is attached to the open document, each a document to open. */
export function Attached({ document }: { document: DocumentRow }) {
  const { t } = useTranslation()
  const format = useFormat()
  const [found, setFound] = useState<{ of: number; total: number; documents: DocumentRow[] } | null>(null)
  // While documents are read, the counts change.
  const version = useLibrary((state) => JSON.stringify(state.progress?.counts ?? null))
  const { id, kind } = document
  useRefreshed(kind === 'mail' ? String(id) : null, version, async (signal) => {
    try {
      setFound({ of: id, ...(await client.documents.list({ within: id, limit: most }, { signal })) })
    } catch (error) {
      if (!signal.aborted) reportProblem(error)
    }
  })
  if (kind !== 'mail' || found?.of !== id || found.total === 0) return null
  const more = found.total - found.documents.length
  return (
    <section aria-label={t('library.attached')} className="flex-none border-b border-line bg-paper px-4.5 py-2">
      <ul className="flex max-h-24 flex-wrap gap-x-3 gap-y-1 overflow-y-auto text-small" tabIndex={0}>
        {found.documents.map((each) => (
          <li key={each.id} className="min-w-0">
            <button
              type="button"
              className="flex max-w-full items-center gap-1.5 border-0 bg-transparent p-0.5 text-start text-ink hover:text-seal"
              title={each.reason?.message ?? each.name}
              onClick={() => void openDocument(each.id, each.status === 'ready' ? 'original' : 'read')}
            >
              <Paperclip size={13} strokeWidth={1.6} className="flex-none text-ink-2" aria-hidden="true" />
              <span className="truncate">
                <Visible text={each.name} />
              </span>
              {each.status !== 'ready' && (
                <>
                  <StatusDot status={each.status} />
                  <span className="flex-none text-ink-2">
                    {each.reason === null ? t(`library.status.${each.status}`) : t(`library.reasonShort.${each.reason.code}`)}
                  </span>
                </>
              )}
            </button>
          </li>
        ))}
        {more > 0 && <li className="p-0.5 text-ink-2">{t('library.attachedMore', { count: more, more: format.count(more) })}</li>}
      </ul>
    </section>
  )
}
