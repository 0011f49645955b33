import { create } from 'zustand'

export interface Upload {
  phase: 'idle' | 'looking' | 'copying'
  totalFiles: number
  doneFiles: number
  totalBytes: number
  doneBytes: number
  /** Hidden and dependency folders and files that are not worth a copy. */
  leftOut: number
}

const idle: Upload = { phase: 'idle', totalFiles: 0, doneFiles: 0, totalBytes: 0, doneBytes: 0, leftOut: 0 }

/** The copying of dropped files into the library's own place, where the host cannot say where they lie. */
export const useUpload = create<Upload>(() => idle)

let stop = new AbortController()

export function beginUpload(): AbortSignal {
  stop = new AbortController()
  useUpload.setState({ ...idle, phase: 'looking' })
  return stop.signal
}

export function endUpload(): void {
  useUpload.setState(idle)
}

export function cancelUpload(): void {
  stop.abort()
  endUpload()
}
