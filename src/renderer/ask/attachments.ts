import type { Attachment } from '../../contract/agent.ts'
import type { Message } from '../../contract/message.ts'
import type { DraftAttachment } from '../state/draft.ts'

/** What the contract takes: so many files, each so large, and all of them in one message. */
export const attachmentLimits = { files: 20, fileBytes: 28_000_000, totalBytes: 40_000_000 }

export interface Refusal {
  name: string
  why: 'tooLarge' | 'tooMany' | 'tooMuch' | 'empty' | 'unreadable' | 'broken'
}

/** Which of the files can be taken along with those that are there, and why the others cannot. */
export function sortFiles<Each extends { name: string; size: number }>(
  kept: readonly { sizeBytes: number }[],
  files: readonly Each[],
): { taken: Each[]; refused: Refusal[] } {
  const taken: Each[] = []
  const refused: Refusal[] = []
  let total = kept.reduce((sum, each) => sum + each.sizeBytes, 0)
  for (const file of files) {
    const why =
      file.size === 0
        ? 'empty'
        : file.size > attachmentLimits.fileBytes
          ? 'tooLarge'
          : kept.length + taken.length >= attachmentLimits.files
            ? 'tooMany'
            : total + file.size > attachmentLimits.totalBytes
              ? 'tooMuch'
              : null
    if (why !== null) refused.push({ name: file.name, why })
    else {
      taken.push(file)
      total += file.size
    }
  }
  return { taken, refused }
}

/** The bytes of a file in base64, without a prefix. */
export function base64Of(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''))
    reader.onerror = () => reject(reader.error ?? new Error('unreadable'))
    reader.readAsDataURL(file)
  })
}

/** Says to be a picture and is none that can be shown. */
export class BrokenPicture extends Error {}

async function checkPicture(file: File): Promise<void> {
  try {
    const picture = await createImageBitmap(file)
    picture.close()
  } catch (error) {
    throw new BrokenPicture('This is no picture.', { cause: error })
  }
}

export async function readAttachment(file: File): Promise<DraftAttachment> {
  if (isPicture(file.type)) await checkPicture(file)
  return {
    id: crypto.randomUUID(),
    name: file.name.slice(-255) || 'file',
    mediaType: file.type.slice(0, 255),
    sizeBytes: file.size,
    data: await base64Of(file),
  }
}

/** What a browser can show as a picture without running anything in it. */
export function isPicture(mediaType: string): boolean {
  return /^image\/(png|jpeg|gif|webp|bmp|avif)$/.test(mediaType)
}

function base64OfText(text: string): string {
  const bytes = new TextEncoder().encode(text)
  let binary = ''
  for (let at = 0; at < bytes.length; at += 8192) binary += String.fromCharCode(...bytes.subarray(at, at + 8192))
  return btoa(binary)
}

/** What was given along with a question, from the messages of its turn. A document comes back as the text that was read of it. */
export function attachmentsIn(messages: Message[]): Attachment[] {
  const asked = messages.find((message) => message.role === 'user' && Array.isArray(message.content))
  if (asked === undefined || typeof asked.content === 'string') return []
  return asked.content.flatMap((part): Attachment[] => {
    if (part.type === 'text' || (part.type === 'document' && part.documentId !== undefined)) return []
    const name = part.name ?? part.type
    if (part.type !== 'document') return [{ name, mediaType: part.mediaType, data: part.data }]
    return [
      {
        name: /\.(txt|md)$/i.test(name) ? name : `${name}.txt`,
        mediaType: 'text/plain',
        data: base64OfText(part.whole?.text ?? part.text),
      },
    ]
  })
}
