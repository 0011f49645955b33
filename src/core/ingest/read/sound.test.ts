import { expect, test } from 'vitest'
import { flacBytes, mp3Bytes, mp4Bytes, oggBytes, wavBytes, webmBytes } from '../../../../test/fixtures/sound-bytes.ts'
import { memoryFile } from './mail-attachments.ts'
import { kindOf, readDocument, soundFormat, type HeardSegment, type ReadSection } from './read.ts'

test.each([
  ['talk.wav', wavBytes(), 'wav', 'sound'],
  ['talk.mp3', mp3Bytes(), 'mp3', 'sound'],
  ['talk.mp3', Buffer.concat([Buffer.from('ID3\x04\0\0\0\0\0\0', 'latin1'), mp3Bytes()]), 'mp3', 'sound'],
  ['talk.m4a', mp4Bytes('M4A '), 'm4a', 'sound'],
  ['talk.m4a', mp4Bytes('isom'), 'm4a', 'sound'],
  ['talk.opus', oggBytes('OpusHead'), 'ogg', 'sound'],
  ['talk.ogg', oggBytes('\x01vorbis'), 'ogg', 'sound'],
  ['talk.flac', flacBytes(), 'flac', 'sound'],
  ['talk.webm', webmBytes('A_OPUS'), 'webm', 'sound'],
  // What is inside counts, not the name.
  ['talk', wavBytes(), 'wav', 'sound'],
  ['talk.txt', mp3Bytes(), 'mp3', 'sound'],
  ['notes.mp3', Buffer.from('These are words, and not a tune.'), null, 'text'],
  ['film.mp4', mp4Bytes('isom'), null, 'unknown'],
  ['film.webm', webmBytes('V_VP9', 'A_OPUS'), null, 'unknown'],
  ['film.ogg', Buffer.concat([oggBytes('\x80theora'), oggBytes('\x01vorbis')]), null, 'unknown'],
  // UTF-16 begins like a frame, and so may any bytes: a second frame has to follow.
  ['wide.txt', Buffer.from('\ufeffwide words', 'utf16le'), null, 'text'],
  ['one.bin', Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0]), Buffer.alloc(900, 7)]), null, 'unknown'],
  ['picture.webp', Buffer.from('RIFF\x20\0\0\0WEBPVP8 ', 'latin1'), null, 'image'],
])('%s is told by its bytes', (name, bytes, format, kind) => {
  const file = memoryFile(name, bytes)
  expect([soundFormat(file), kindOf(name, file)]).toEqual([format, kind])
})

async function read(name: string, bytes: Buffer, heard?: HeardSegment[]) {
  const sections: ReadSection[] = []
  const reading = readDocument(memoryFile(name, bytes), 'sound', heard === undefined ? {} : { heard })
  for (;;) {
    const next = await reading.next()
    if (next.done === true) return { end: next.value, sections }
    sections.push(next.value)
  }
}

test('each stretch of what was heard is a section with its time, an hour in too', async () => {
  const { end, sections } = await read('talk.wav', wavBytes(), [
    { fromMs: 0, toMs: 12_400, text: 'Welcome.' },
    { fromMs: 12_400, toMs: 12_900, text: '下一项。' },
    { fromMs: 3_723_999, toMs: 3_730_000, text: 'Goodbye.' },
  ])
  expect(end).toMatchObject({ status: 'ready', reason: null })
  expect(sections.map(({ text, place, joint }) => [text, place, joint])).toEqual([
    ['[00:00] Welcome.', { kind: 'time', from: 0, to: 12 }, undefined],
    ['[00:12] 下一项。', { kind: 'time', from: 12, to: 12 }, '\n\n'],
    ['[01:02:03] Goodbye.', { kind: 'time', from: 3723, to: 3730 }, '\n\n'],
  ])
})

test('a stretch without end is cut, and nothing of it is lost', async () => {
  const said = 'One sentence follows the other here. '.repeat(4000).trim()
  const { sections } = await read('talk.wav', wavBytes(), [{ fromMs: 0, toMs: 0, text: said }])
  expect(Math.max(...sections.map(({ text }) => text.length))).toBeLessThanOrEqual(48_000)
  expect(sections.map(({ text }) => text).join(' ')).toBe(`[00:00] ${said}`)
})

test('without text a recording says why: not heard yet, nothing in it, or damaged', async () => {
  expect((await read('talk.wav', wavBytes())).end).toMatchObject({ status: 'skipped', reason: { code: 'not-transcribed' } })
  expect((await read('talk.wav', wavBytes(), [])).end).toMatchObject({ status: 'skipped', reason: { code: 'no-text' } })
  const broken = Buffer.from([0, 1, 2, 3, 0xff, 0xfe, 9, 0])
  expect((await read('talk.mp3', broken)).end).toMatchObject({ status: 'failed', reason: { code: 'damaged' } })
})
