import type { Attachment } from '../../contract/agent.ts'
import { transcriptText, type Models } from '../models/models.ts'

/**
 * What turns a recording into text, a line for each segment with its time; null when nothing is set up for it. The language of
 * the question is not the recording's: the model finds that out itself.
 */
export function hearingOf(models: Models, signal: AbortSignal): ((attachment: Attachment) => Promise<string>) | null {
  if (models.canHear() === null) return null
  return async ({ name, mediaType, data }) => {
    const recording = { name, mediaType, data: Buffer.from(data, 'base64') }
    const { text, segments } = await models.transcribe(recording, { signal })
    return segments.length > 0 ? transcriptText(segments) : text
  }
}
