import { failure, SikuError } from '../../contract/errors.ts'
import type { ModelRef, Provider } from '../../contract/models.ts'
import { timeText } from '../../contract/place.ts'
import type { Settings } from '../../contract/settings.ts'
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
  return failure('no-hearing')
}

/** What hosts say they take at most; any other may refuse by itself. */
const mostBytes: Readonly<Record<string, number>> = { 'api.openai.com': 25 * 1024 ** 2 }

export function hearsFolders(
  { transcription, transcribeFoldersAt, offline }: Settings,
  providers: readonly Provider[],
  isLocal: (provider: Provider) => boolean,
): { allowed: true } | { allowed: false; needed: string } {
  const provider = providers.find(({ id, kind }) => id === transcription?.providerId && kind === 'openai')
  const no = (needed: string) => ({ allowed: false as const, needed })
  if (provider === undefined) return no('This is sound. To be read it needs a transcription model: choose one in Models.')
  if (transcribeFoldersAt !== provider.address)
    return no('This is sound. To be read it has to be transcribed: switch that on for your folders in Models.')
  if (offline && !isLocal(provider)) return no('This is sound, and Siku is set to stay offline: its transcription address is elsewhere.')
  return { allowed: true }
}

export async function transcribe(
  client: OpenAiClient,
  { model }: ModelRef,
  { data, mediaType, name, language }: Recording,
  signal?: AbortSignal,
): Promise<Transcript> {
  if (data.byteLength === 0) throw new SikuError('bad-input', `“${name}” is empty.`)
  const most = mostBytes[new URL(client.address).hostname] ?? Infinity
  if (data.byteLength > most)
    throw new SikuError(
      'model-call',
      `It takes ${most / 1024 ** 2} MB at most, and this has ${(data.byteLength / 1024 ** 2).toFixed(1)} MB.`,
      {
        status: 413,
      },
    )
  const request = { model, data, mediaType, name, ...(language === undefined ? {} : { language }) }
  return client.transcribe(request, signal === undefined ? {} : { signal })
}

/** A line for each segment with its time in front, as in `[01:30] …`. */
export function transcriptText(segments: Segment[]): string {
  return segments.map(({ fromMs, text }) => `[${timeText(fromMs / 1000)}] ${text.replace(/\s+/g, ' ').trim()}`).join('\n')
}
