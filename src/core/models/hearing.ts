import { SikuError } from '../../contract/errors.ts'
import type { ModelRef } from '../../contract/models.ts'
import type { OpenAiClient, Segment, Transcript } from '../openai/openai.ts'

export type { Segment, Transcript } from '../openai/openai.ts'

export interface Recording {
  data: Uint8Array
  /** Such as audio/mpeg. */
  mediaType: string
  name: string
  /** As in ISO 639-1; left out, the server finds it out. */
  language?: string
}

/** Says what is needed before anything can be heard. */
export function cannotHear(): SikuError {
  return new SikuError('model-config', 'Nothing is set up that turns sound into text.', {
    hint: 'Choose a transcription model in Settings: any OpenAI-compatible server with /audio/transcriptions, such as whisper.cpp on this machine.',
  })
}

export async function transcribe(
  client: OpenAiClient,
  { model }: ModelRef,
  { data, mediaType, name, language }: Recording,
  signal?: AbortSignal,
): Promise<Transcript> {
  if (data.byteLength === 0) throw new SikuError('bad-input', `“${name}” is empty.`)
  const request = { model, data, mediaType, name, ...(language === undefined ? {} : { language }) }
  return client.transcribe(request, signal === undefined ? {} : { signal })
}

/** A line for each segment with its time in front, as in `[00:01:30] …`. */
export function transcriptText(segments: Segment[]): string {
  return segments.map(({ fromMs, text }) => `[${clock(fromMs)}] ${text.replace(/\s+/g, ' ').trim()}`).join('\n')
}

function clock(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  return parts.map((part) => String(part).padStart(2, '0')).join(':')
}
