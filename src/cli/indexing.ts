import type { Folder, IndexProgress } from '../contract/library.ts'
import { SikuError } from '../contract/errors.ts'
import type { SharedCore } from '../server/server.ts'
import { clock, count } from './output.ts'
import { createProgressBar } from './progress-bar.ts'
import type { Words } from './words.ts'

interface WatchOptions {
  words: Words
  signal: AbortSignal
  quiet: boolean
  /** Waits for text recognition too. */
  ocr: boolean
}

function isRead({ state, counts }: Folder): boolean {
  return state !== 'scanning' && counts.waiting === 0 && counts.reading === 0
}

/** All its documents are done with, its pages recognised if that is waited for, and its vectors in or not to come (failed, or the work is idle). */
function isDone(folder: Folder, progress: IndexProgress, ocr: boolean): boolean {
  if (folder.state === 'unreachable' || folder.state === 'paused') return true
  if (progress.phase === 'idle' || progress.phase === 'paused') return isRead(folder)
  if (progress.phase === 'transcribing') return false
  return isRead(folder) && folder.embedded >= folder.passages && (!ocr || folder.pagesToRecognise === 0)
}

/**
 * Shows the progress of these folders until they are done with; a broken-off watch stops nothing.
 * Resolves with their last state, also after an abort.
 */
export async function watchIndexing(
  client: SharedCore['client'],
  ids: ReadonlySet<number>,
  { words, signal, quiet, ocr }: WatchOptions,
): Promise<Folder[]> {
  const bar = createProgressBar(process.stderr, quiet)
  const startedAt = performance.now()
  let folders: Folder[] = []
  try {
    for await (const progress of await client.library.progress({}, { signal })) {
      folders = progress.folders.filter((folder) => ids.has(folder.id))
      if (progress.trouble !== null) throw troubleError(progress.trouble)
      show(folders, progress)
      if (folders.length === 0 || folders.every((folder) => isDone(folder, progress, ocr))) break
    }
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    bar.end()
  }
  return folders

  function show(shown: Folder[], progress: IndexProgress): void {
    const sum = (pick: (folder: Folder) => number) => shown.reduce((total, folder) => total + pick(folder), 0)
    const total = sum(({ counts }) => counts.total)
    const done = sum(({ counts }) => counts.ready + counts.partial + counts.recognising + counts.failed + counts.skipped)
    const [passages, embedded] = [sum((folder) => folder.passages), sum((folder) => folder.embedded)]
    const scanning = shown.some((folder) => folder.state === 'scanning')
    const reading = done < total
    const pages = ocr ? sum((folder) => folder.pagesToRecognise) : 0
    const recognising = pages > 0 && embedded >= passages
    const rate = reading ? done / ((performance.now() - startedAt) / 1000) : progress.passagesPerSecond
    bar.update({
      label:
        progress.phase === 'transcribing'
          ? words.transcribing
          : scanning && total === 0
            ? words.scanning
            : reading
              ? words.reading
              : recognising
                ? words.recognising
                : words.embedding,
      fraction: total === 0 ? null : (done / total) * (0.3 + 0.7 * (passages === 0 ? 0 : embedded / passages)),
      parts: [
        words.documents(count(done), count(total)),
        words.passages(count(embedded), count(passages)),
        ...(pages === 0 ? [] : [words.pagesLeft(count(pages))]),
        ...(rate === null || rate === 0 ? [] : [words.perSecond(rate < 10 ? rate.toFixed(1) : count(Math.round(rate)))]),
        ...(progress.remainingMs === null ? [] : [words.left(clock(progress.remainingMs))]),
      ],
    })
  }
}

function troubleError({ message, code, hint }: NonNullable<IndexProgress['trouble']>): SikuError {
  return new SikuError(code === 'disk-full' ? 'disk-full' : 'internal', message, hint === undefined ? {} : { hint })
}
