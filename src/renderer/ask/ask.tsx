import { PanelLeft } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { openChat } from '../state/conversation.ts'
import { useReader } from '../state/reader.ts'
import { useRoute } from '../state/route.ts'
import { ChatList } from './chat-list.tsx'
import { Conversation } from './conversation.tsx'

const roomForAll = 1180

function useWindowWidth(): number {
  const [width, setWidth] = useState(window.innerWidth)
  useEffect(() => {
    const look = () => setWidth(window.innerWidth)
    window.addEventListener('resize', look)
    return () => window.removeEventListener('resize', look)
  }, [])
  return width
}

/** The chats and the conversation. In a narrow window with the reader open the chats give way and can be called back. */
export function Ask() {
  const { t } = useTranslation()
  const chatId = useRoute((route) => route.chatId)
  const readerOpen = useReader((state) => state.open)
  const tight = useWindowWidth() < (readerOpen ? roomForAll : 820)
  const [called, setCalled] = useState(false)
  useEffect(() => {
    void openChat(chatId)
  }, [chatId])
  const shown = !tight || called
  const toggle = tight ? (
    <button
      type="button"
      className="icon-button -ms-2"
      aria-label={t('ask.chats')}
      aria-expanded={called}
      onClick={() => setCalled((before) => !before)}
    >
      <PanelLeft size={17} strokeWidth={1.6} />
    </button>
  ) : null
  return (
    <div className="relative flex min-w-0 flex-1">
      {shown && <ChatList floating={tight} onDone={() => setCalled(false)} />}
      <Conversation toggle={toggle} />
    </div>
  )
}
