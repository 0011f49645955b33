import { basename, extname } from 'node:path'
import type { Attachment } from '../contract/agent.ts'
import { SikuError } from '../contract/errors.ts'
import { readNamed } from './reachable.ts'
import type { Words } from './words.ts'

/** In base64 they stay within what the contract takes. */
const maximalBytes = 29_000_000

const mediaTypes: Record<string, string> = {
  '.txt': 'text/plain',
  '.md': 'text/markdown',
  '.csv': 'text/csv',
  '.html': 'text/html',
  '.json': 'application/json',
  '.pdf': 'application/pdf',
  '.docx': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  '.xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  '.pptx': 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.webp': 'image/webp',
  '.gif': 'image/gif',
  '.wav': 'audio/wav',
  '.mp3': 'audio/mpeg',
  '.m4a': 'audio/mp4',
  '.ogg': 'audio/ogg',
  '.flac': 'audio/flac',
}

/** `--attach FILE`: for this turn only. */
export async function attachmentsOf(files: string[], words: Words): Promise<Attachment[]> {
  const attachments: Attachment[] = []
  for (const file of files) {
    const { path, data } = await readNamed(file, words, { maximalBytes, tooLarge: words.agent.tooLarge })
    if (data.length === 0) throw new SikuError('bad-input', words.agent.isEmpty(path))
    const mediaType = mediaTypes[extname(path).toLowerCase()] ?? 'application/octet-stream'
    attachments.push({ name: basename(path).slice(0, 255), mediaType, data: data.toString('base64') })
  }
  return attachments
}
