import { Paperclip, Square } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useConnection } from '../client.ts'
import { isEnter } from '../parts/keys.ts'
import { attach } from '../state/attaching.ts'
import { ask, stopTurn, useConversation } from '../state/conversation.ts'
import { useDraft } from '../state/draft.ts'
import { useRunning } from '../state/turns.ts'
import { AgentPicker } from './agent-picker.tsx'
import { AttachmentList } from './attachment-list.tsx'
import { ModeSwitch } from './mode-switch.tsx'
import { ModelPicker } from './model-picker.tsx'
import { ScopePicker } from './scope-picker.tsx'

const longest = 20_000

export function Composer({ onAsk }: { onAsk: () => void }) {
  const { t } = useTranslation()
  const text = useDraft((draft) => draft.text)
  const chatId = useConversation((state) => state.chatId)
  const running = useRunning((state) => state.ids[0])
  const gone = useConnection((connection) => connection.gone)
  const mode = useConversation((state) => state.mode)
  const picker = useRef<HTMLInputElement>(null)
  const area = useRef<HTMLTextAreaElement>(null)
  const question = text.trim()
  useEffect(() => {
    const element = area.current
    if (element === null) return
    element.style.height = '0'
    element.style.height = `${Math.min(element.scrollHeight, 220)}px`
  }, [text])
  useEffect(() => area.current?.focus({ preventScroll: true }), [chatId])

  function send() {
    if (question === '' || running !== undefined || question.length > longest) return
    const attachments = mode === 'agent' ? useDraft.getState().attachments : []
    useDraft.setState(mode === 'agent' ? { text: '', attachments: [] } : { text: '' })
    onAsk()
    void ask(question, { attachments: attachments.map(({ name, mediaType, data }) => ({ name, mediaType, data })) })
  }

  return (
    <form
      className="mx-auto mb-5 w-[calc(100%-64px)] max-w-[756px] flex-none rounded-lg border border-line-2 bg-sheet px-3.5 pt-3 pb-2.5 transition-colors focus-within:border-[color-mix(in_srgb,var(--ink-3)_55%,var(--line-2))] max-[1000px]:w-[calc(100%-40px)]"
      data-takes-files=""
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
      onDrop={(event) => {
        if (event.dataTransfer.files.length > 0) void attach([...event.dataTransfer.files])
      }}
    >
      {mode === 'agent' && <AttachmentList />}
      <textarea
        id="composer"
        ref={area}
        rows={1}
        className="block max-h-55 w-full resize-none border-0 bg-transparent px-0.5 pb-2 text-body outline-none placeholder:truncate placeholder:text-ink-3"
        placeholder={t(mode === 'agent' ? 'agent.placeholder' : 'ask.placeholder')}
        aria-label={t(mode === 'agent' ? 'agent.placeholder' : 'ask.placeholder')}
        value={text}
        onChange={(event) => useDraft.setState({ text: event.target.value })}
        onPaste={(event) => {
          const files = [...event.clipboardData.files]
          // Text that a program puts beside a picture of itself is what was meant.
          if (files.length === 0 || event.clipboardData.getData('text/plain') !== '') return
          event.preventDefault()
          void attach(files)
        }}
        onKeyDown={(event) => {
          if (!isEnter(event)) return
          event.preventDefault()
          send()
        }}
      />
      {question.length > longest && <p className="pb-2 text-small text-bad">{t('ask.tooLong')}</p>}
      <div className="flex flex-wrap items-center gap-2">
        <ModeSwitch />
        <ScopePicker />
        {mode === 'agent' && <AgentPicker />}
        <ModelPicker />
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
        <span className="ms-auto flex flex-none items-center gap-2">
          <button
            type="button"
            className="icon-button"
            aria-label={t(mode === 'agent' ? 'agent.attach.add' : 'agent.attach.needsAgentShort')}
            title={t(mode === 'agent' ? 'agent.attach.add' : 'agent.attach.needsAgentShort')}
            onClick={() => picker.current?.click()}
          >
            <Paperclip size={16} strokeWidth={1.6} />
          </button>
          {running === undefined ? (
            <button
              type="submit"
              className="button button-primary rounded-[9px] px-4"
              disabled={question === '' || question.length > longest}
            >
              {t('ask.send')}
            </button>
          ) : (
            <button
              type="button"
              className="button rounded-[9px] px-4"
              disabled={running.startsWith('local-') || gone}
              onClick={() => {
                area.current?.focus()
                void stopTurn(running)
              }}
            >
              <Square size={12} fill="currentColor" aria-hidden="true" /> {t('ask.stop')}
            </button>
          )}
        </span>
      </div>
    </form>
  )
}
