import { LoaderCircle, Mic, Square } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '../client.ts'
import { IconButton } from '../parts/icon-button.tsx'
import { useSettings } from '../state/settings.ts'
import { reportProblem, showToast } from '../state/toasts.ts'
import { base64Of } from './attachments.ts'
import { Elapsed } from './elapsed.tsx'

/** A question is no lecture; what is longer belongs into the library as a file. */
const longestMs = 5 * 60_000

type Phase = 'off' | 'asking' | 'recording' | 'hearing'

function endTracks(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop()
}

/** Speaks a question instead of writing it. Only where something is set up that turns sound into text. */
export function VoiceButton({ onHeard }: { onHeard: (text: string) => void }) {
  const { t } = useTranslation()
  const able = useSettings((state) => state.settings?.transcription ?? null) !== null && typeof MediaRecorder !== 'undefined'
  const [phase, setPhase] = useState<Phase>('off')
  const recorder = useRef<MediaRecorder | null>(null)
  const alive = useRef(true)
  useEffect(() => {
    alive.current = true
    return () => {
      alive.current = false
      if (recorder.current?.state === 'recording') recorder.current.stop()
    }
  }, [])

  async function hear(pieces: Blob[], mediaType: string) {
    setPhase('hearing')
    try {
      const data = await base64Of(new Blob(pieces, { type: mediaType }))
      const { text } = await client.hearing.transcribe({ data, mediaType })
      if (text === '') showToast({ text: t('ask.voice.nothing') })
      else if (alive.current) onHeard(text)
    } catch (error) {
      reportProblem(error, t('ask.voice.failed'))
    } finally {
      setPhase('off')
    }
  }

  async function start() {
    setPhase('asking')
    let stream: MediaStream
    try {
      stream = await navigator.mediaDevices.getUserMedia({ audio: true })
    } catch {
      setPhase('off')
      showToast({ text: t('ask.voice.noMicrophone'), bad: true })
      return
    }
    if (!alive.current) return endTracks(stream)
    const pieces: Blob[] = []
    const made = new MediaRecorder(stream)
    recorder.current = made
    made.ondataavailable = ({ data }) => {
      if (data.size > 0) pieces.push(data)
    }
    const timer = setTimeout(() => made.state === 'recording' && made.stop(), longestMs)
    made.onstop = () => {
      clearTimeout(timer)
      endTracks(stream)
      recorder.current = null
      // Whoever left the chat does not want it heard.
      if (alive.current && pieces.length > 0) void hear(pieces, made.mimeType)
      else setPhase('off')
    }
    made.start(1000)
    setPhase('recording')
  }

  if (!able) return null
  const recording = phase === 'recording'
  const label = t(recording ? 'ask.voice.stop' : phase === 'hearing' ? 'ask.voice.hearing' : 'ask.voice.start')
  return (
    <>
      {recording && (
        <span className="text-small text-ink-2">
          <Elapsed />
        </span>
      )}
      <IconButton
        label={label}
        aria-pressed={recording}
        disabled={phase === 'asking' || phase === 'hearing'}
        onClick={() => (recording ? recorder.current?.stop() : void start())}
      >
        {recording ? (
          <Square size={13} className="text-seal" fill="currentColor" />
        ) : phase === 'hearing' ? (
          <LoaderCircle size={16} strokeWidth={1.6} className="animate-spin" />
        ) : (
          <Mic size={16} strokeWidth={1.6} />
        )}
      </IconButton>
      <span role="status" className="sr-only">
        {phase === 'recording' ? t('ask.voice.recording') : phase === 'hearing' ? t('ask.voice.hearing') : ''}
      </span>
    </>
  )
}
