const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')

/** A date of a message (RFC 5322) by year, month and day, with the time and the zone that were written; what is no date stays as it is. */
export function writtenDate(header: string): string {
  const line = header.slice(0, 200).replace(/\s+/g, ' ').trim()
  const found = /(\d{1,2}) ([a-z]{3})[a-z]{0,6}\.? (\d{4}) (\d{1,2}):(\d{2})(?::(\d{2}))? ?([+-]\d{4}|[A-Z]{1,5})?/i.exec(line)
  const month = months.indexOf(found?.[2]?.toLowerCase() ?? '') + 1
  if (found === null || month === 0) return line
  const two = (value: string | number): string => String(value).padStart(2, '0')
  const [, day = '', , year = '', hour = '', minute = '', second, zone] = found
  const time = [two(hour), minute, ...(second === undefined ? [] : [second])].join(':')
  return [`${year}-${two(month)}-${two(day)}`, time, ...(zone === undefined ? [] : [zone])].join(' ')
}
