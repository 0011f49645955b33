import type { Peek } from './format.ts'

export type SoundFormat = 'wav' | 'mp3' | 'm4a' | 'ogg' | 'flac' | 'webm'

export const soundTypes: Readonly<Record<SoundFormat, string>> = {
  wav: 'audio/wav',
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  ogg: 'audio/ogg',
  flac: 'audio/flac',
  webm: 'audio/webm',
}

/** The tracks of a Matroska file are told within so many bytes. */
const trackBytes = 64 << 10

/** What a recording's bytes are; null for everything else, films in the same wrappings too. */
export function soundFormat(peek: Pick<Peek, 'name' | 'at'>): SoundFormat | null {
  const first = peek.at(0, 4096)
  const head = first.toString('latin1')
  if (/^(?:RIFF|RF64)[\s\S]{4}WAVE/.test(head)) return 'wav'
  if (head.startsWith('fLaC')) return 'flac'
  if (head.startsWith('OggS')) return /OpusHead|\x01vorbis|Speex {3}|\x7fFLAC/.test(head) && !head.includes('theora') ? 'ogg' : null
  if (head.startsWith('ftyp', 4)) return /^M4[AB] /.test(head.slice(8)) || isSoundByName(head, peek.name) ? 'm4a' : null
  if (head.startsWith('\x1aE\xdf\xa3')) {
    const tracks = peek.at(0, trackBytes).toString('latin1')
    return /A_(?:OPUS|VORBIS|AAC|MPEG|FLAC|PCM)/.test(tracks) && !/V_(?:VP|AV1|MPEG|MS|THEORA)/.test(tracks) ? 'webm' : null
  }
  if (head.startsWith('ID3')) return 'mp3'
  return isFrame(first, 0) && isFrame(peek.at(frameBytes(first, 0), 4), 0) ? 'mp3' : null
}

/** Recorders write the general brands too; what a film is called is never .m4a. */
function isSoundByName(head: string, name: string): boolean {
  return /^(?:isom|iso[2-9]|mp4[12]|dash|3gp)/.test(head.slice(8)) && /\.m4[ab]$/i.test(name)
}

/** Of MPEG layer III, by version (2.5, -, 2, 1). */
const sampleRates = [[11_025, 12_000, 8000], [], [22_050, 24_000, 16_000], [44_100, 48_000, 32_000]]
const kilobits1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
const kilobits2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]

function isFrame(bytes: Buffer, at: number): boolean {
  return frameBytes(bytes, at) > 0
}

/** The length of the frame of MPEG layer III that begins here; 0 where none does. */
function frameBytes(bytes: Buffer, at: number): number {
  const [sync = 0, kind = 0, rates = 0] = bytes.subarray(at, at + 3)
  if (sync !== 0xff || (kind & 0xe6) !== 0xe2) return 0
  const version = (kind >> 3) & 3
  const kilobits = (version === 3 ? kilobits1 : kilobits2)[rates >> 4] ?? 0
  const sampleRate = sampleRates[version]?.[(rates >> 2) & 3] ?? 0
  if (kilobits === 0 || sampleRate === 0) return 0
  return Math.floor(((version === 3 ? 144 : 72) * kilobits * 1000) / sampleRate) + ((rates >> 1) & 1)
}
