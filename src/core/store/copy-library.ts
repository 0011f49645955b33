import { backup } from '@photostructure/sqlite'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { SikuError } from '../../contract/errors.ts'
import { checkCopy } from './check-copy.ts'
import { openReader } from './connection.ts'
import { toStoreError } from './store-error.ts'

/** In one step, so that a host which goes on writing does not make it begin again and again. */
const allPages = -1

/** `fill` writes a copy under a name of its own; it is checked and gets its name last. A file that is there is never overwritten. */
export async function writeChecked(file: string, fill: (partial: string) => Promise<unknown>): Promise<void> {
  if (existsSync(file)) throw new SikuError('conflict', `${file} is there already`)
  const partial = `${file}.partial`
  rmSync(partial, { force: true })
  try {
    await fill(partial)
    checkCopy(partial)
    renameSync(partial, file)
  } catch (error) {
    rmSync(partial, { force: true })
    throw error
  }
}

/** A checked copy of the library, whether or not a host has it open. */
export async function copyLibrary({ dataDir, file }: { dataDir: string; file: string }): Promise<void> {
  try {
    const source = openReader(join(dataDir, 'siku.db'))
    try {
      mkdirSync(dirname(resolve(file)), { recursive: true })
      await writeChecked(resolve(file), (partial) => backup(source, partial, { rate: allPages }))
    } finally {
      source.close()
    }
  } catch (error) {
    throw toStoreError(error)
  }
}
