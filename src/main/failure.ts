import { app, dialog } from 'electron'
import type { SikuError } from '../contract/errors.ts'
import { nativeWords } from './native-words.ts'

export function showFailure(error: SikuError): void {
  process.stderr.write(`siku: ${error.message}\n`)
  dialog.showErrorBox(nativeWords(app.getLocale()).cannotStart, [error.message, error.hint].filter(Boolean).join('\n\n'))
}
