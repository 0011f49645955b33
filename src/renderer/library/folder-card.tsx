import { Ellipsis, FileText, FolderClosed, ListX, Pause, Play, RefreshCw, Trash2 } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Folder } from '../../contract/library.ts'
import { client } from '../client.ts'
import { useFormat } from '../format.ts'
import { folderName } from '../parts/folder-name.ts'
import { removeFolder } from '../state/library.ts'
import { reportProblem, showToast } from '../state/toasts.ts'
import { RulesDialog } from './rules-dialog.tsx'
import { doneOf, shareOf, useRising } from './share.ts'

function Actions({ folder }: { folder: Folder }) {
  const { t } = useTranslation()
  const [asking, setAsking] = useState(false)
  const paused = folder.state === 'paused'
  const at = { folderId: folder.id }
  return (
    <>
      <DropdownMenu.Root modal={false}>
        <DropdownMenu.Trigger asChild>
          <button
            type="button"
            className="icon-button relative z-10 -me-1.5"
            aria-label={t('library.folderMenu', { name: folderName(folder, t) })}
          >
            <Ellipsis size={17} strokeWidth={1.6} />
          </button>
        </DropdownMenu.Trigger>
        <DropdownMenu.Portal>
          <DropdownMenu.Content className="menu" align="end" sideOffset={4}>
            <DropdownMenu.Item
              className="menu-item"
              onSelect={() => void (paused ? client.folders.resume(at) : client.folders.pause(at)).catch(reportProblem)}
            >
              {paused ? <Play size={15} strokeWidth={1.6} aria-hidden="true" /> : <Pause size={15} strokeWidth={1.6} aria-hidden="true" />}
              {t(paused ? 'library.resume' : 'library.pause')}
            </DropdownMenu.Item>
            <DropdownMenu.Item
              className="menu-item"
              onSelect={() =>
                void client.folders
                  .rescan(at)
                  .then(() => showToast({ text: t('library.rescanning', { name: folderName(folder, t) }) }))
                  .catch(reportProblem)
              }
            >
              <RefreshCw size={15} strokeWidth={1.6} aria-hidden="true" /> {t('library.rescan')}
            </DropdownMenu.Item>
            {!folder.single && (
              <DropdownMenu.Item className="menu-item" onSelect={() => setTimeout(() => setAsking(true))}>
                <ListX size={15} strokeWidth={1.6} aria-hidden="true" /> {t('library.folderRules')}
              </DropdownMenu.Item>
            )}
            <DropdownMenu.Item className="menu-item" onSelect={() => void removeFolder(folder)}>
              <Trash2 size={15} strokeWidth={1.6} aria-hidden="true" />
              <span>
                {t('library.remove')}
                <span className="block text-small text-ink-2">{t('library.removeText')}</span>
              </span>
            </DropdownMenu.Item>
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
      {asking && <RulesDialog folder={folder} onClose={() => setAsking(false)} />}
    </>
  )
}

function Progress({ folder }: { folder: Folder }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { counts, passages, embedded } = folder
  const working = folder.state !== 'unreachable' && (doneOf(counts) < counts.total || embedded < passages || folder.state === 'scanning')
  const share = useRising(
    working ? `work ${folder.id}` : 'done',
    working && folder.state !== 'scanning' ? shareOf(counts, passages, embedded) : 0,
  )
  if (!working) return null
  const tone = folder.state === 'paused' ? undefined : folder.state === 'scanning' ? 'waiting' : 'busy'
  return (
    <div className="mt-2.5">
      <div
        className="bar"
        data-tone={tone}
        role="progressbar"
        aria-label={t('library.progressOf', { name: folderName(folder, t) })}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(share * 100)}
      >
        <i style={{ width: `${share * 100}%` }} />
      </div>
      <p className="mt-1 text-small text-ink-2 tabular-nums">
        {folder.state === 'scanning'
          ? t('library.scanningFound', { count: counts.total, found: format.count(counts.total) })
          : doneOf(counts) < counts.total
            ? t('library.doneOf', { count: counts.total, done: format.count(doneOf(counts)), total: format.count(counts.total) })
            : t('library.embeddedOf', { count: passages, done: format.count(embedded), total: format.count(passages) })}
      </p>
    </div>
  )
}

/** What is in a folder and how far it is. A click shows its documents only. */
export function FolderCard({ folder, chosen, onChoose }: { folder: Folder; chosen: boolean; onChoose: () => void }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { counts, leftOut } = folder
  const Icon = folder.single ? FileText : FolderClosed
  const skippedAtScan = Object.values(leftOut).reduce((sum, count) => sum + count, 0)
  const reasons = (Object.keys(leftOut) as (keyof typeof leftOut)[])
    .filter((key) => leftOut[key] > 0)
    .map((key) => `${t(`library.leftOut.${key}`)} ${format.count(leftOut[key])}`)
    .join(' · ')
  const troubles = [
    counts.partial > 0 ? t('library.partialCount', { count: counts.partial }) : null,
    counts.recognising > 0 ? t('library.recognisingCount', { count: counts.recognising }) : null,
    counts.failed > 0 ? t('library.failedCount', { count: counts.failed }) : null,
    counts.skipped > 0 ? t('library.skippedCount', { count: counts.skipped }) : null,
  ].filter((part) => part !== null)
  return (
    <li className={`card relative flex flex-col px-4 py-3 transition-colors ${chosen ? 'border-seal!' : 'hover:border-line-2'}`}>
      <div className="flex items-start gap-3">
        <Icon size={19} strokeWidth={1.4} className="mt-0.75 flex-none text-ink-2" aria-hidden="true" />
        <div className="min-w-0 flex-1">
          <h2 className="truncate font-semibold">
            {/* The whole card is the button: its area is laid over it. */}
            <button
              type="button"
              aria-pressed={chosen}
              className="border-0 bg-transparent p-0 text-start font-semibold after:absolute after:inset-0 after:rounded-[10px] after:content-['']"
              onClick={onChoose}
            >
              {folderName(folder, t)}
            </button>
          </h2>
          <p className="truncate text-small text-ink-2" title={folder.path}>
            {folder.sample ? t('library.samplePath') : folder.copied ? t('library.copiedPath') : folder.path}
          </p>
        </div>
        <Actions folder={folder} />
      </div>
      <p className="mt-2 text-ui tabular-nums">
        {t('library.folderCounts', { count: counts.total, documents: format.count(counts.total), bytes: format.bytes(folder.sizeBytes) })}
        {troubles.length > 0 && <span className="text-small text-ink-2">{` · ${troubles.join(' · ')}`}</span>}
      </p>
      {folder.state === 'unreachable' && (
        <p className="mt-1 text-small text-bad">
          {folder.unreachableSince === null
            ? t('library.unreachable')
            : t(counts.total === 0 ? 'library.folderDeleted' : 'library.unreachableSince', {
                time: format.dateTime(folder.unreachableSince),
              })}
        </p>
      )}
      {folder.state === 'paused' && <p className="mt-1 text-small text-warn-ink">{t('library.paused')}</p>}
      <Progress folder={folder} />
      {skippedAtScan > 0 && (
        <p className="mt-1 truncate text-small text-ink-3" title={reasons}>
          {t('library.leftOutLine', { reasons })}
        </p>
      )}
    </li>
  )
}
