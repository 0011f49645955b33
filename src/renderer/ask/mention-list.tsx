import { FileText, Folder as FolderIcon, Wrench, type LucideIcon } from 'lucide-react'
import { useEffect, useImperativeHandle, useMemo, useRef, useState, type KeyboardEvent, type Ref } from 'react'
import { useTranslation } from 'react-i18next'
import { folderName } from '../parts/folder-name.ts'
import { Visible } from '../parts/visible.tsx'
import { parentOf } from '../paths.ts'
import { setScope, switchMode, useConversation } from '../state/conversation.ts'
import { useLibrary } from '../state/library.ts'
import { noteDocumentName } from '../state/scope-names.ts'
import { loadTools, useTools } from '../state/tools.ts'
import { useFoundDocuments } from './use-found-documents.ts'

const shownOfEach = 8

interface Choice {
  id: string
  icon: LucideIcon
  name: string
  detail: string
  /** What takes the place of the mention in the text. */
  choose: () => string
}

function added(list: number[] | undefined, id: number): number[] {
  return [...(list ?? []).filter((each) => each !== id), id]
}

function useChoices(query: string): Choice[] {
  const { t } = useTranslation()
  const folders = useLibrary((state) => state.progress?.folders ?? null)
  const tools = useTools((state) => state.tools)
  const documents = useFoundDocuments(query, shownOfEach)
  useEffect(() => {
    if (useTools.getState().tools === null) void loadTools()
  }, [])
  return useMemo(() => {
    const wanted = query.toLowerCase()
    const { scope } = useConversation.getState()
    const named = (folders ?? []).map((folder) => ({ ...folder, name: folderName(folder, t) }))
    return [
      ...named
        .filter(({ name }) => name.toLowerCase().includes(wanted))
        .slice(0, shownOfEach)
        .map((folder): Choice => ({
          id: `folder-${folder.id}`,
          icon: folder.single ? FileText : FolderIcon,
          name: folder.name,
          detail: parentOf(folder.path),
          choose: () => {
            setScope({ ...scope, folderIds: added(scope.folderIds, folder.id) })
            return ''
          },
        })),
      ...documents.map((row): Choice => ({
        id: `document-${row.id}`,
        icon: FileText,
        name: row.name,
        detail: row.within === null ? parentOf(row.path) : t('library.within', { name: row.within.name }),
        choose: () => {
          noteDocumentName(row.id, row.name)
          setScope({ ...scope, documentIds: added(scope.documentIds, row.id) })
          return ''
        },
      })),
      ...(tools ?? [])
        .filter((tool) => tool.enabled && tool.name.toLowerCase().includes(wanted))
        .slice(0, shownOfEach)
        .map((tool): Choice => ({
          id: `tool-${tool.name}`,
          icon: Wrench,
          name: tool.name,
          detail: t('ask.mentionTool'),
          choose: () => {
            switchMode('agent')
            return tool.name
          },
        })),
    ]
  }, [query, folders, documents, tools, t])
}

export interface MentionKeys {
  /** Whether the key was for the list. */
  take: (event: KeyboardEvent) => boolean
}

interface Props {
  id: string
  query: string
  keys: Ref<MentionKeys>
  onChosen: (instead: string) => void
  onActive: (id: string | undefined) => void
  onClose: () => void
}

/** Folders, documents and tools to choose from after an `@`. The focus stays in the text: keys are handed on from there. */
export function MentionList({ id, query, keys, onChosen, onActive, onClose }: Props) {
  const { t } = useTranslation()
  const choices = useChoices(query)
  const [at, setAt] = useState(0)
  const list = useRef<HTMLUListElement>(null)
  const current = Math.min(at, Math.max(0, choices.length - 1))
  const active = choices.length === 0 ? undefined : `${id}-${current}`
  useEffect(() => {
    onActive(active)
    return () => onActive(undefined)
  }, [active, onActive])
  useEffect(() => {
    list.current?.children[current]?.scrollIntoView({ block: 'nearest' })
  }, [current])
  function choose(choice: Choice | undefined) {
    if (choice !== undefined) onChosen(choice.choose())
  }
  useImperativeHandle(keys, () => ({
    take(event) {
      const { length } = choices
      if (event.key === 'Escape') onClose()
      else if (length === 0) return false
      else if (event.key === 'ArrowDown') setAt((current + 1) % length)
      else if (event.key === 'ArrowUp') setAt((current - 1 + length) % length)
      else if ((event.key === 'Enter' && !event.shiftKey) || event.key === 'Tab') choose(choices[current])
      else return false
      return true
    },
  }))
  return (
    <div className="menu absolute start-0 bottom-full mb-2 max-h-[min(320px,40vh)]! w-[min(440px,100%)]">
      <ul ref={list} id={id} role="listbox" tabIndex={0} aria-label={t('ask.mention')} className="outline-none">
        {choices.map(({ id: key, icon: Icon, name, detail, choose: _choose }, index) => (
          <li
            key={key}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === current}
            className="menu-item"
            // The text keeps the focus.
            onMouseDown={(event) => event.preventDefault()}
            onMouseMove={() => setAt(index)}
            onClick={() => choose(choices[index])}
          >
            <Icon size={15} strokeWidth={1.5} className="flex-none text-ink-2" aria-hidden="true" />
            <span className="max-w-[70%] flex-none truncate">
              <Visible text={name} />
            </span>
            <span className="min-w-0 flex-1 truncate text-end text-small text-ink-2">
              <Visible text={detail} />
            </span>
          </li>
        ))}
      </ul>
      <p role="status" className={choices.length > 0 ? 'sr-only' : 'px-2.5 py-1.5 text-small text-ink-2'}>
        {choices.length > 0 ? t('ask.mentionCount', { count: choices.length }) : t('common.nothingFound')}
      </p>
    </div>
  )
}
