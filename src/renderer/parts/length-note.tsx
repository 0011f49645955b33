import { useTranslation } from 'react-i18next'
import { useFormat } from '../format.ts'

/** From here on the count is shown. */
const near = 0.9

/** How long a text is, where it comes near what may be kept, and that it is too long: nothing is cut off without a word. */
export function LengthNote({ id, length, most }: { id: string; length: number; most: number }) {
  const { t } = useTranslation()
  const format = useFormat()
  if (length < most * near) return null
  const figures = { length: format.count(length), most: format.count(most) }
  if (length <= most) {
    return (
      <span id={id} className="block pt-1 text-tiny text-ink-3 tabular-nums">
        {t('common.lengthOf', figures)}
      </span>
    )
  }
  return (
    <span id={id} role="alert" className="block pt-1 text-small text-bad">
      {t('common.tooLong', figures)}
    </span>
  )
}
