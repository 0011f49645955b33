import type { DocumentRow } from '../../contract/library.ts'
import { setScope } from '../state/conversation.ts'
import { useDraft } from '../state/draft.ts'
import { go, useRoute } from '../state/route.ts'

/** More than this is a document, not a quote: it would fill the window of a small model. */
const mostQuoted = 2000

/** Takes words of a document into a question about it. */
export function askAbout(document: DocumentRow, text: string): void {
  const quote = text
    .slice(0, mostQuoted)
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n')
  if (useRoute.getState().screen !== 'ask') go('ask')
  // Another screen first opens its chat, which brings its own draft.
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      useDraft.setState(({ text: before }) => ({ text: `${before === '' ? '' : `${before.trimEnd()}\n\n`}${quote}\n\n` }))
      setScope({ documentIds: [document.id] })
      window.document.querySelector<HTMLElement>('#composer')?.focus()
    }),
  )
}
