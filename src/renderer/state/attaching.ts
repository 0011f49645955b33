import { readAttachment, sortFiles, type Refusal } from '../ask/attachments.ts'
import { i18next } from '../words/words.ts'
import { switchMode, useConversation } from './conversation.ts'
import { useDraft, type DraftAttachment } from './draft.ts'
import { showToast } from './toasts.ts'

function tell(refusals: Refusal[]): void {
  for (const { name, why } of refusals) showToast({ text: i18next.t(`agent.attach.${why}`, { name }), bad: true })
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
  const { taken, refused } = sortFiles(useDraft.getState().attachments, files)
  tell(refused)
  const read: DraftAttachment[] = []
  for (const file of taken) {
    try {
      read.push(await readAttachment(file))
    } catch {
      tell([{ name: file.name, why: 'unreadable' }])
    }
  }
  useDraft.setState(({ attachments }) => ({ attachments: [...attachments, ...read] }))
}

export function detach(id: string): void {
  useDraft.setState(({ attachments }) => ({ attachments: attachments.filter((each) => each.id !== id) }))
}
