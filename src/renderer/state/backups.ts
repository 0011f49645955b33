import type { Backups } from '../../contract/settings.ts'
import { client } from '../client.ts'
import { i18next } from '../words/words.ts'
import { reportProblem, showToast } from './toasts.ts'

/** Makes a backup and says so; null when it could not be made, which is said too. */
export async function backUp(): Promise<Backups | null> {
  try {
    const backups = await client.backups.create({})
    showToast({ text: i18next.t('settings.backupMade') })
    return backups
  } catch (error) {
    reportProblem(error)
    return null
  }
}

/** The same where no button shows that it goes on. */
export async function backUpFromAfar(): Promise<void> {
  showToast({ text: i18next.t('settings.backingUp') })
  await backUp()
}
