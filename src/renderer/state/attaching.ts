import { BrokenPicture, readAttachment, sortFiles, type Refusal } from '../ask/attachments.ts'
import { visibleText } from '../parts/visible-text.ts'
import { i18next } from '../words/words.ts'
import { switchMode, useConversation } from './conversation.ts'
import { useDraft, type DraftAttachment } from './draft.ts'
import { showToast } from './toasts.ts'

function tell(refusals: Refusal[]): void {
  for (const { name, why } of refusals) showToast({ text: i18next.t(`agent.attach.${why}`, { name: visibleText(name) }), bad: true })
}

/** Others may have come while it was read: the limits hold for all of them. In a chat that was left it is not wanted any more. */
function take(chatId: string | null, read: DraftAttachment): void {
  if (useConversation.getState().chatId !== chatId) return
  const { attachments } = useDraft.getState()
  const { refused } = sortFiles(attachments, [{ name: read.name, size: read.sizeBytes }])
  if (refused.length > 0) tell(refused)
  else useDraft.setState({ attachments: [...attachments, read] })
}

/** Takes files along with the next question. Only the agent can use them, so that an answer offers to switch. */
export async function attach(files: File[]): Promise<void> {
  if (files.length === 0) return
  if (useConversation.getState().mode === 'answer') {
    showToast({
      text: i18next.t('agent.attach.needsAgent'),
      action: {
        label: i18next.t('agent.attach.switchAndAttach'),
        run: () => {
          switchMode('agent')
          void attach(files)
        },
      },
    })
    return
  }
  const { chatId } = useConversation.getState()
  const { taken, refused } = sortFiles(useDraft.getState().attachments, files)
  tell(refused)
  for (const file of taken) {
    try {
      take(chatId, await readAttachment(file))
    } catch (error) {
      tell([{ name: file.name, why: error instanceof BrokenPicture ? 'broken' : 'unreadable' }])
    }
  }
}

export function detach(id: string): void {
  useDraft.setState(({ attachments }) => ({ attachments: attachments.filter((each) => each.id !== id) }))
}
