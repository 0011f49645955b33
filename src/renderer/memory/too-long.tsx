import { useTranslation } from 'react-i18next'
import { useFormat } from '../format.ts'

/** Characters of one memory. */
export const longestMemory = 1000

/** A text that is too long is kept as it was given, and not taken. */
export function TooLong({ length }: { length: number }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <div role="alert" className="basis-full text-small text-bad empty:hidden">
      {length > longestMemory && t('memory.tooLong', { length: format.count(length), most: format.count(longestMemory) })}
    </div>
  )
}
