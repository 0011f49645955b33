import { DatabaseSync } from '@photostructure/sqlite'
import { closeSync, fsyncSync, openSync, rmSync } from 'node:fs'
import { SikuError } from '../../contract/errors.ts'
import { keepPrivate } from './data-directory.ts'

/** Reads a copy through and puts it on the disk for good, for its owner alone as the library is; a bad one is removed. */
export function checkCopy(path: string): void {
  keepPrivate(path, 0o600)
  const copy = new DatabaseSync(path)
  let problem: unknown
  try {
    // One file, without a log beside it.
    copy.exec('PRAGMA journal_mode = DELETE')
    problem = (copy.prepare('PRAGMA quick_check(1)').get() as { quick_check: string }).quick_check
  } catch (error) {
    problem = error
  } finally {
    copy.close()
  }
  if (problem !== 'ok') {
    rmSync(path, { force: true })
    throw new SikuError('store-damaged', `the copy is not sound: ${String(problem)}`, {
      hint: 'Run siku doctor to check the library itself.',
    })
  }
  const descriptor = openSync(path, 'r+')
  fsyncSync(descriptor)
  closeSync(descriptor)
}
