import { ArrowUp, Paperclip, Square } from 'lucide-react'
import { useCallback, useEffect, useId, useRef, useState, type RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { useConnection } from '../client.ts'
import { IconButton } from '../parts/icon-button.tsx'
import { isComposing, isEnter } from '../parts/keys.ts'
import { useGrowing } from '../parts/use-growing.ts'
import { attach } from '../state/attaching.ts'
import { ask, stopTurn, useConversation } from '../state/conversation.ts'
import { useDraft } from '../state/draft.ts'
import { showToast } from '../state/toasts.ts'
import { useRunning } from '../state/turns.ts'
import { AgentPicker } from './agent-picker.tsx'
import { AttachmentList } from './attachment-list.tsx'
import { ModeSwitch } from './mode-switch.tsx'
import { ModelPicker } from './model-picker.tsx'
import { mentionBefore, withoutMention } from './mention.ts'
import { MentionList, type MentionKeys } from './mention-list.tsx'
import { longestQuestion as longest } from './question.ts'
import { ScopeChips } from './scope-chips.tsx'
import { ScopePicker } from './scope-picker.tsx'
import { VoiceButton } from './voice-button.tsx'

/** Whether what is said in the empty box would not fit it: a placeholder has no dots while it has the focus. */
function useNarrow(box: RefObject<HTMLElement | null>): boolean {
  const [narrow, setNarrow] = useState(false)
  useEffect(() => {
    if (box.current === null) return
    const observer = new ResizeObserver(([entry]) => setNarrow(entry !== undefined && entry.contentRect.width < 600))
    observer.observe(box.current)
    return () => observer.disconnect()
  }, [box])
  return narrow
}

export function Composer({ onAsk }: { onAsk: () => void }) {
  const { t } = useTranslation()
  const text = useDraft((draft) => draft.text)
  const chatId = useConversation((state) => state.chatId)
  const running = useRunning((state) => state.ids[0])
  const gone = useConnection((connection) => connection.gone)
  const mode = useConversation((state) => state.mode)
  const picker = useRef<HTMLInputElement>(null)
  const area = useGrowing(text)
  const question = text.trim()
  const [caret, setCaret] = useState(0)
  const [focused, setFocused] = useState(false)
  /** The mention that was closed with Esc: it does not come up again by itself. */
  const [closed, setClosed] = useState<number | null>(null)
  const [active, setActive] = useState<string | undefined>(undefined)
  const narrow = useNarrow(area)
  const keys = useRef<MentionKeys>(null)
  const listId = useId()
  const found = focused ? mentionBefore(text, Math.min(caret, text.length)) : null
  const mention = found !== null && found.at !== closed ? found : null
  const changeActive = useCallback((id: string | undefined) => setActive(id), [])
  useEffect(() => area.current?.focus({ preventScroll: true }), [area, chatId])

  function put(next: { text: string; caret: number }) {
    useDraft.setState({ text: next.text })
    setCaret(next.caret)
    requestAnimationFrame(() => {
      area.current?.focus()
      area.current?.setSelectionRange(next.caret, next.caret)
    })
  }

  function insert(words: string) {
    const before = text.slice(0, caret)
    const gap = before === '' || /\s$/.test(before) || !/\w$/.test(before) ? '' : ' '
    put({ text: `${before}${gap}${words}${text.slice(caret)}`, caret: caret + gap.length + words.length })
  }

  function send() {
    if (question === '' || running !== undefined || question.length > longest) return
    const attachments = mode === 'agent' ? useDraft.getState().attachments : []
    useDraft.setState(mode === 'agent' ? { text: '', attachments: [] } : { text: '' })
    onAsk()
    void ask(question, { attachments: attachments.map(({ name, mediaType, data }) => ({ name, mediaType, data })) })
  }

  return (
    <form
      className="@container relative mx-auto mb-5 w-[calc(100%-64px)] max-w-[756px] flex-none rounded-lg border border-line-2 bg-sheet px-3.5 pt-3 pb-2.5 transition-colors focus-within:border-[color-mix(in_srgb,var(--ink-3)_55%,var(--line-2))] max-[1000px]:w-[calc(100%-40px)] low:mb-1.5 low:px-2 low:pt-1.5 low:pb-1.5"
      data-takes-files=""
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
      onDrop={(event) => {
        if (event.dataTransfer.files.length > 0) void attach([...event.dataTransfer.files])
      }}
    >
      {mention !== null && (
        <MentionList
          key={mention.at}
          id={listId}
          query={mention.query}
          keys={keys}
          onActive={changeActive}
          onChosen={(instead) => put(withoutMention(text, caret, mention, instead))}
          onClose={() => setClosed(mention.at)}
        />
      )}
      <ScopeChips />
      {mode === 'agent' && <AttachmentList />}
      <textarea
        id="composer"
        ref={area}
        rows={1}
        className="block field-sizing-content max-h-[min(220px,35vh)] w-full resize-none border-0 bg-transparent px-0.5 pb-2 text-body outline-none placeholder:truncate placeholder:text-ink-3"
        placeholder={t(mode === 'agent' ? 'agent.placeholder' : narrow ? 'ask.placeholderShort' : 'ask.placeholder')}
        aria-label={t(mode === 'agent' ? 'agent.placeholder' : 'ask.placeholder')}
        value={text}
        aria-autocomplete="list"
        aria-controls={mention === null ? undefined : listId}
        aria-activedescendant={active}
        onChange={(event) => {
          useDraft.setState({ text: event.target.value })
          setCaret(event.target.selectionStart)
          if (closed !== null && event.target.value[closed] !== text[closed]) setClosed(null)
        }}
        onSelect={(event) => setCaret(event.currentTarget.selectionStart)}
        onFocus={() => setFocused(true)}
        onBlur={() => setFocused(false)}
        onPaste={(event) => {
          const files = [...event.clipboardData.files]
          // Text that a program puts beside a picture of itself is what was meant.
          if (files.length === 0 || event.clipboardData.getData('text/plain') !== '') return
          event.preventDefault()
          void attach(files)
        }}
        onKeyDown={(event) => {
          if (mention !== null && !isComposing(event) && keys.current?.take(event) === true) {
            event.preventDefault()
            return
          }
          if (!isEnter(event)) return
          event.preventDefault()
          if (running !== undefined && question !== '') showToast({ text: t('ask.waitOrStop') })
          else send()
        }}
      />
      {question.length > longest && <p className="pb-2 text-small text-bad">{t('ask.tooLong')}</p>}
      <div className="flex items-end gap-2 @max-[600px]:gap-1.5">
        <div className="flex min-w-0 flex-1 items-center gap-2 @max-[600px]:gap-1.5 @max-[420px]:flex-wrap">
          <ModeSwitch />
          <ScopePicker />
          {mode === 'agent' && <AgentPicker />}
          <ModelPicker />
        </div>
        <input
          ref={picker}
          type="file"
          multiple
          hidden
          aria-label={t('agent.attach.add')}
          onChange={(event) => {
            void attach([...(event.target.files ?? [])])
            event.target.value = ''
          }}
        />
        <span className="flex flex-none items-center gap-2 @max-[600px]:gap-1">
          <VoiceButton onHeard={insert} />
          <IconButton
            label={t(mode === 'agent' ? 'agent.attach.add' : 'agent.attach.needsAgentShort')}
            onClick={() => picker.current?.click()}
          >
            <Paperclip size={16} strokeWidth={1.6} />
          </IconButton>
          {running === undefined ? (
            <button
              type="submit"
              className="button button-primary rounded-[9px] px-4 @max-[600px]:w-8.5 @max-[600px]:px-0"
              title={t('ask.send')}
              disabled={question === '' || question.length > longest}
            >
              <ArrowUp size={17} strokeWidth={2} className="hidden @max-[600px]:block" aria-hidden="true" />
              <span className="@max-[600px]:sr-only">{t('ask.send')}</span>
            </button>
          ) : (
            <button
              type="button"
              className="button rounded-[9px] px-4 @max-[600px]:w-8.5 @max-[600px]:px-0"
              title={t('ask.stop')}
              disabled={running.startsWith('local-') || gone}
              onClick={() => {
                area.current?.focus()
                void stopTurn(running)
              }}
            >
              <Square size={12} fill="currentColor" aria-hidden="true" /> <span className="@max-[600px]:sr-only">{t('ask.stop')}</span>
            </button>
          )}
        </span>
      </div>
    </form>
  )
}
