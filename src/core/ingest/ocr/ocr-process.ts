/** The entry of the OCR process: one page at a time, ended at its limits or when idle by whoever started it. */
import { serveRpc } from '../../work/work.ts'
import { createOcrApi, type OcrApi } from './ocr-api.ts'

serveRpc<OcrApi>(createOcrApi())
