import { statSync } from 'node:fs'
import { dirname, sep } from 'node:path'
import type { Reason } from '../../../contract/library.ts'
import { fileReason, openFile, type Opened, type OpenFile } from './file.ts'
import { kindOf } from './kind.ts'
import { attachedOf, parseMessage } from './mail-attachments.ts'
import { isMailbox, mailboxMessage, mailboxMessages, mostMessageBytes } from './mailbox.ts'

/** Opens a file, or a document inside one by its path below it, as in `letter.eml/#2/annex.docx`. */
type OpenDocument = (path: string) => Promise<Opened>

type Attachments = NonNullable<Awaited<ReturnType<typeof parseMessage>>>['attachments']

/** Attachments of the message that was opened last are held up to here. */
const heldBytes = 32 << 20

const gone: Reason = { code: 'gone', message: 'It is not in this file any more.' }

/** The file that a path leads into, as no directory can be there; null when there is none. */
function fileAround(path: string): string | null {
  for (let at = dirname(path); dirname(at) !== at; at = dirname(at)) {
    try {
      return statSync(at).isFile() ? at : null
    } catch {
      // Not there either, as it is below a file or nowhere.
    }
  }
  return null
}

/**
 * One for each process. What was found out about the last mailbox and the last message is kept, as documents inside one file are
 * mostly opened one after the other.
 */
export function createOpener(): OpenDocument {
  let mailbox: { key: string; starts: Float64Array; ends: Float64Array } | null = null
  let held: { key: string; attachments: Attachments } | null = null

  function messageBytes(file: OpenFile, key: string, number: number): Buffer | null {
    if (mailbox?.key !== key) {
      const [starts, ends]: [number[], number[]] = [[], []]
      for (const { start, end } of mailboxMessages(file.chunks())) {
        starts.push(start)
        ends.push(end)
      }
      mailbox = { key, starts: Float64Array.from(starts), ends: Float64Array.from(ends) }
    }
    const [start, end] = [mailbox.starts[number - 1], mailbox.ends[number - 1]]
    if (start === undefined || end === undefined) return null
    return mailboxMessage(Buffer.from(file.at(start, Math.min(end - start, mostMessageBytes))))
  }

  async function attachmentsOf(file: OpenFile, key: string, number: number | null): Promise<Attachments> {
    const own = `${key} ${number}`
    if (held?.key === own) return held.attachments
    const bytes = number === null ? file.bytes() : messageBytes(file, key, number)
    const message = bytes === null ? null : await parseMessage(bytes)
    if (message === null) return []
    const { attachments } = message
    const size = attachments.reduce((sum, { content }) => sum + (typeof content === 'string' ? content.length : content.byteLength), 0)
    held = size > heldBytes ? null : { key: own, attachments }
    return attachments
  }

  async function openIn(file: OpenFile, key: string, place: string, name: string): Promise<OpenFile | null> {
    const match = /^#(?:(\d{1,6})-)?(\d{1,4})$/.exec(place)
    if (match?.[2] === undefined || (file.kind ?? kindOf(file.name, file)) !== 'mail') return null
    if (isMailbox(file) !== (match[1] !== undefined)) return null
    const attachments = await attachmentsOf(file, key, match[1] === undefined ? null : Number(match[1]))
    const attachment = attachments[Number(match[2]) - 1]
    const attached = attachment === undefined ? null : attachedOf(attachment, file)
    return attached?.kind === 'document' && attached.name === name ? attached.file : null
  }

  return async (path) => {
    const opened = openFile(path)
    if (opened.kind === 'ok' || (opened.reason.code !== 'gone' && opened.reason.code !== 'name-not-usable')) return opened
    const around = fileAround(path)
    if (around === null) return opened
    const parts = path.slice(around.length + 1).split(sep)
    const outer = openFile(around)
    if (outer.kind === 'failed') return outer
    try {
      let file: OpenFile = outer.file
      let key = `${around}|${file.sizeBytes}|${file.modifiedMs}`
      for (let at = 0; at < parts.length; at += 2) {
        const [place = '', name = ''] = parts.slice(at, at + 2)
        const inside = await openIn(file, key, place, name)
        if (inside === null) return { kind: 'failed', reason: gone }
        file = inside
        key += `|${place}`
      }
      return { kind: 'ok', file }
    } catch (error) {
      if (error instanceof Error && 'errno' in error) return { kind: 'failed', reason: fileReason(error) }
      throw error
    } finally {
      outer.file.close()
    }
  }
}
