import { ChevronRight } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Basis } from '../../contract/answer.ts'
import { fileAndSheet } from '../../contract/place.ts'
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
  const shownRows = rows.map(({ path, sheet, row }) => (several ? `${fileAndSheet(fileName(path), sheet)} ${row}` : String(row)))
  const hasMore = understood !== null || query !== null || sheets.length > 0 || remarks.length > 0
  return (
    <div data-testid="basis">
      <Visible text={message} />
      {hasMore && (
        <details className="group mt-1">
          <summary className="flex w-fit cursor-pointer list-none items-center gap-2 rounded-sm">
            <ChevronRight size={13} strokeWidth={1.8} className="text-ink-3 transition-transform group-open:rotate-90" aria-hidden="true" />
            {t('ask.basis.more')}
          </summary>
          <div className="mt-2 mb-1 flex flex-col gap-2 border-s border-line ps-4 [overflow-wrap:anywhere]">
            {understood !== null && (
              <p>
                {t('ask.basis.understood')}{' '}
                <span className="text-ink">
                  <Visible text={understood} />
                </span>
              </p>
            )}
            {sheets.length > 0 && (
              <table className="w-full border-collapse tabular-nums">
                <tbody>
                  {sheets.map(({ path, sheet, rows: count, counted: ofThem, value }, index) => (
                    <tr key={index} className="border-b border-line align-top last:border-b-0">
                      <th scope="row" className="py-1 pe-4 text-start font-normal text-ink">
                        <Visible text={fileAndSheet(fileName(path), sheet)} />
                      </th>
                      <td className="py-1 pe-4 text-end whitespace-nowrap">
                        {t('ask.basis.sheetRows', { count, number: format.count(count) })}
                      </td>
                      <td className="py-1 pe-4 text-end whitespace-nowrap">
                        {ofThem !== null && t('ask.basis.ofThem', { count: ofThem, number: format.count(ofThem) })}
                      </td>
                      <td className="py-1 text-end [overflow-wrap:break-word] text-ink">{value !== null && <Visible text={value} />}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            )}
            {rows.length > 0 && (
              <p>
                {t('ask.basis.rows', { count: counted ?? rows.length, number: format.count(counted ?? rows.length) })}{' '}
                <Visible text={`${shownRows.join(', ')}${counted !== null && counted > rows.length ? ' …' : ''}`} />
              </p>
            )}
            {remarks.map((remark, index) => (
              <p key={index}>
                <Visible text={remark} />
              </p>
            ))}
            {query !== null && (
              <div>
                <p className="mb-1">{t('ask.basis.query')}</p>
                <pre className="exact">
                  <Visible text={query} />
                </pre>
              </div>
            )}
          </div>
        </details>
      )}
    </div>
  )
}
