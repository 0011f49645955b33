import { useTranslation } from 'react-i18next'
import type { Basis } from '../../contract/answer.ts'
import { useFormat } from '../format.ts'
import { Visible } from '../parts/visible.tsx'

function fileName(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? path
}

/** What a counted answer rests on: in a sentence, and on demand with its sheets, rows and query. */
export function BasisOf({ basis }: { basis: Basis }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { message, understood, query, sheets, rows, counted, remarks } = basis
  const several = new Set(rows.map(({ path, sheet }) => `${path}\n${sheet}`)).size > 1
  const shownRows = rows.map(({ path, sheet, row }) => (several ? `${fileName(path)} › ${sheet} ${row}` : String(row)))
  const hasMore = understood !== null || query !== null || sheets.length > 0 || remarks.length > 0
  return (
    <div data-testid="basis">
      <Visible text={message} />
      {hasMore && (
        <details className="mt-1">
          <summary className="cursor-pointer">{t('ask.basis.more')}</summary>
          <ul className="mt-1 flex flex-col gap-1 [overflow-wrap:anywhere]">
            {understood !== null && (
              <li>
                {t('ask.basis.understood')} <Visible text={understood} />
              </li>
            )}
            {sheets.map(({ path, sheet, rows: count, counted: ofThem, value }, index) => (
              <li key={index}>
                <Visible text={`${fileName(path)} › ${sheet}`} />
                {': '}
                {t('ask.basis.sheetRows', { count, number: format.count(count) })}
                {ofThem !== null && ` · ${t('ask.basis.ofThem', { count: ofThem, number: format.count(ofThem) })}`}
                {value !== null && (
                  <>
                    {' · '}
                    <Visible text={value} />
                  </>
                )}
              </li>
            ))}
            {rows.length > 0 && (
              <li>
                {t('ask.basis.rows', { count: counted ?? rows.length, number: format.count(counted ?? rows.length) })}{' '}
                <Visible text={`${shownRows.join(', ')}${counted !== null && counted > rows.length ? ' …' : ''}`} />
              </li>
            )}
            {remarks.map((remark, index) => (
              <li key={`remark-${index}`}>
                <Visible text={remark} />
              </li>
            ))}
            {query !== null && (
              <li>
                {t('ask.basis.query')}{' '}
                <code className="font-mono">
                  <Visible text={query} />
                </code>
              </li>
            )}
          </ul>
        </details>
      )}
    </div>
  )
}
