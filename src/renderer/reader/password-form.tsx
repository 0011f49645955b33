import { useId, useState, type SyntheticEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { reportProblem } from '../state/toasts.ts'

interface Props {
  /** Whether the password opens the document. `keep`: the user wants it kept. */
  onTry: (password: string, keep: boolean) => Promise<boolean>
  canKeep: boolean
}

/** Asks for the password of a document and tries it at once. It is kept only when the user says so. */
export function PasswordForm({ onTry, canKeep }: Props) {
  const { t } = useTranslation()
  const id = useId()
  const [password, setPassword] = useState('')
  const [keep, setKeep] = useState(false)
  const [trying, setTrying] = useState(false)
  const [wrong, setWrong] = useState(false)
  function unlock(event: SyntheticEvent) {
    event.preventDefault()
    setTrying(true)
    setWrong(false)
    onTry(password, keep)
      .then((opened) => setWrong(!opened))
      .catch(reportProblem)
      .finally(() => setTrying(false))
  }
  return (
    <form className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1.5" onSubmit={unlock}>
      <label htmlFor={id} className="sr-only">
        {t('library.password')}
      </label>
      <input
        id={id}
        type="password"
        className="field min-h-7.5! min-w-0 flex-1 text-small"
        placeholder={t('library.password')}
        autoComplete="off"
        maxLength={1000}
        value={password}
        aria-invalid={wrong}
        aria-describedby={wrong ? `${id}-wrong` : undefined}
        onChange={(event) => setPassword(event.target.value)}
      />
      <button type="submit" className="button button-small" disabled={password === '' || trying}>
        {t('library.unlock')}
      </button>
      {canKeep && (
        <label className="flex w-full items-center gap-2 text-small">
          <input type="checkbox" checked={keep} onChange={(event) => setKeep(event.target.checked)} />
          {t('library.keepPassword')}
        </label>
      )}
      {wrong && (
        <p id={`${id}-wrong`} role="alert" className="w-full text-small text-bad">
          {t('library.wrongPassword')}
        </p>
      )}
    </form>
  )
}
