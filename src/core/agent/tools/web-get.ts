import type { z } from 'zod'
import { SikuError } from '../../../contract/errors.ts'
import type { Language } from '../../../contract/library.ts'
import type { Net, PublicAnswer } from '../../net/net.ts'

const refusals = new Set([202, 401, 403, 418, 429, 503])

/** JSON of a service, bounded, read by its schema. What it says else is an error with its status, never its words. */
export async function getJson<Schema extends z.ZodType>(
  net: Net,
  url: URL,
  schema: Schema,
  request: { purpose: string; signal: AbortSignal; language?: Language; configured?: string },
): Promise<z.output<Schema>> {
  const { language, ...rest } = request
  const answer = await net.fetchPublic(url, {
    ...rest,
    accept: 'application/json',
    ...(language === undefined ? {} : { acceptLanguage: acceptLanguage(language) }),
    maxBytes: 1_000_000,
    timeoutMs: 20_000,
    stayOnSite: true,
  })
  checkAnswer(answer, url)
  let value: unknown
  try {
    value = JSON.parse(Buffer.from(answer.bytes).toString('utf8'))
  } catch (error) {
    throw new SikuError('network', `${url.host} did not answer in the way that is documented for it.`, { cause: error })
  }
  const read = schema.safeParse(value)
  if (!read.success)
    throw new SikuError('network', `${url.host} did not answer in the way that is documented for it.`, { cause: read.error })
  return read.data
}

/** Throws unless it is a whole answer of the place that was asked. */
export function checkAnswer(answer: PublicAnswer, url: URL): void {
  const { status } = answer
  if (answer.leadsTo !== null)
    throw new SikuError('network', `${url.host} leads to another site, ${new URL(answer.leadsTo).host}; that is not followed.`)
  if (refusals.has(status))
    throw new SikuError('network', `${url.host} does not answer this program now (status ${status}).`, {
      status,
      retryable: true,
      hint: 'It may take too many questions from one place for a robot’s. Try again later, or use another tool.',
    })
  if (status < 200 || status > 299)
    throw new SikuError('network', `${url.host} answered with status ${status}.`, { status, retryable: status >= 500 })
}

const languageTags: Record<Language, string> = { zh: 'zh-CN', en: 'en', ja: 'ja', ko: 'ko', ru: 'ru', ar: 'ar', other: 'en' }

export function acceptLanguage(language: Language): string {
  const tag = languageTags[language]
  return tag === 'en' ? 'en,*;q=0.5' : `${tag},en;q=0.7,*;q=0.5`
}
