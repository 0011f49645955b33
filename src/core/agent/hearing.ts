import type { Attachment } from '../../contract/agent.ts'
import type { Language } from '../../contract/library.ts'
import { transcriptText, type Models } from '../models/models.ts'

const codes: Partial<Record<Language, string>> = { zh: 'zh', en: 'en', ja: 'ja', ko: 'ko', ru: 'ru', ar: 'ar' }

/** What turns a recording into text, a line for each segment with its time; null when nothing is set up for it. */
export function hearingOf(models: Models, language: Language, signal: AbortSignal): ((attachment: Attachment) => Promise<string>) | null {
  if (models.canHear() === null) return null
  return async ({ name, mediaType, data }) => {
    const spoken = codes[language]
    const recording = { name, mediaType, data: Buffer.from(data, 'base64'), ...(spoken === undefined ? {} : { language: spoken }) }
    const { text, segments } = await models.transcribe(recording, { signal })
    return segments.length > 0 ? transcriptText(segments) : text
  }
}
