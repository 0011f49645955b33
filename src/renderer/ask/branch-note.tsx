import { GitBranch } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { newestAfter, parentsOf } from '../../contract/branches.ts'
import { showVersion, useConversation } from '../state/conversation.ts'

/** Says that the chat goes on from an earlier answer, and leads back to what came after it. */
export function BranchNote() {
  const { t } = useTranslation()
  const leaf = useConversation((state) => state.leaf)
  const nodes = useConversation((state) => state.nodes)
  if (leaf === null || newestAfter(parentsOf(nodes), leaf) === leaf) return null
  return (
    <p
      className="appear flex flex-wrap items-center gap-x-4 gap-y-2 rounded-[10px] bg-sunk px-4 py-2.5 text-small text-ink-2"
      role="status"
    >
      <GitBranch size={15} strokeWidth={1.6} className="flex-none" aria-hidden="true" />
      <span className="min-w-0 flex-1 basis-60">{t('ask.branchHere')}</span>
      <button type="button" className="button button-small" onClick={() => showVersion(leaf)}>
        {t('ask.branchBack')}
      </button>
    </p>
  )
}
