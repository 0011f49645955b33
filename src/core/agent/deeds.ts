import type { CallRecord } from '../../contract/agent.ts'

type Done = Pick<CallRecord, 'tool' | 'status' | 'access'>

/** What of a turn's answer its calls cannot carry. */
export interface FailedCalls {
  /** No call gave anything. */
  all: boolean
  /** A tool never worked, and no other way was found later. */
  lost: boolean
  /** Names of the tools that failed or were refused and never worked, with how it ended. */
  tools: string[]
  kinds: ReadonlySet<Deed>
}

type Deed = 'written' | 'sent' | 'run'

const everyKind: ReadonlySet<Deed> = new Set(['written', 'sent', 'run'])
const kindsOf = { write: ['written'], network: ['sent'], run: ['run'], read: [] } as const

/** Of the plan alone nothing can be said: its results are the model's own words. */
export const factless: ReadonlySet<string> = new Set(['update_plan'])

/** Null when no call went wrong, or each was made good by another of its tool. */
export function failedCalls(calls: readonly Done[]): FailedCalls | null {
  const made = calls.filter(({ tool }) => !factless.has(tool))
  const worked = made.filter(({ status }) => status === 'ok')
  const failed = made.filter((call) => call.status !== 'ok' && !worked.some(({ tool }) => tool === call.tool))
  if (failed.length === 0) return null
  const tools = [...new Set(failed.map(({ tool, status }) => `${tool.slice(0, 80)} (${statusWords[status] ?? 'failed'})`))]
  if (worked.length === 0) return { all: true, lost: true, tools, kinds: everyKind }
  // Another way that was tried later, and worked, stands for one that did not.
  const isLost = (call: Done): boolean =>
    !made
      .slice(made.lastIndexOf(call) + 1)
      .some(({ status, access }) => status === 'ok' && (call.access === null || access === call.access))
  const carried = new Set(worked.map(({ access }) => access))
  const acted = worked.some(({ access }) => access !== null && access !== 'read')
  const kinds = new Set(
    failed.flatMap(({ access }): readonly Deed[] => {
      if (access === null) return acted ? [] : [...everyKind]
      return carried.has(access) ? [] : kindsOf[access]
    }),
  )
  const lost = failed.some(isLost)
  return kinds.size === 0 && !lost ? null : { all: false, lost, tools, kinds }
}

const statusWords: Partial<Record<CallRecord['status'], string>> = {
  refused: 'not allowed by the user',
  cancelled: 'stopped',
  timeout: 'took too long',
  'unknown-tool': 'no such tool',
  'bad-arguments': 'wrong arguments',
  offline: 'the offline switch is on',
}

const subject = String.raw`(?:\b(?:I|we)(?:\s+have|['’]ve)?|\b(?:has|have|had)\s+been|\b(?:was|were|is\s+now|are\s+now)|\b(?:successfully|done[:,.!]?)|^)\s+(?:(?!not\b|never\b|no\b)\w+\s+){0,2}?`
const chinese = String.raw`(?:已(?:经|為|为)?|成功|刚刚|我(?:把|将).{1,20}?)(?:[^，。；,;尝试试图未没不]{0,8}?)`
const patterns: Record<Deed, RegExp[]> = {
  written: [
    new RegExp(
      `${subject}(saved|written|wrote|stored|created|recorded|added|updated|deleted|removed|renamed|moved|changed|remembered|noted)\\b`,
      'i',
    ),
    new RegExp(`${chinese}(保存|写入|写好|写进|写到|存入|存好|存到|创建|新建|记录|记下|记住|添加|更新|删除|修改|生成)`),
    /(保存|写入|创建|记录|添加|更新|删除|修改)(?:成功|完成|完毕|好了|了(?=[。！!，,]|$))/,
  ],
  sent: [
    new RegExp(
      `${subject}(sent|posted|e-?mailed|booked|ordered|submitted|published|uploaded|downloaded|forwarded|scheduled|messaged)\\b`,
      'i',
    ),
    new RegExp(`${chinese}(发送|发出|发给|寄出|提交|发布|预订|订好|上传|下载|转发|通知)`),
    /(发送|提交|发布|预订|上传|下载)(?:成功|完成|完毕|好了|了(?=[。！!，,]|$))/,
  ],
  run: [
    new RegExp(`${subject}(ran|run|executed|computed|tested)\\b`, 'i'),
    /\b((?:output|result)s?)\s+(?:of\s+(?:the\s+)?(?:run|script|program|code|command|execution|calculation)\s+)?(?:is|are|was|were)\b/i,
    /\b((?:the\s+)?(?:output|results?))\s*[:：]/i,
    new RegExp(`${chinese}(运行|执行|跑完|跑了|算出)`),
    /((?:运行|执行|程序|代码|脚本|计算|输出)(?:的)?结果|输出)(?:是|为|如下|显示|[:：])/,
    /(运行|执行)(?:成功|完成|完毕|好了)/,
  ],
}
/** Reading is claimed by these, when nothing at all was read. */
const findings = [
  /\b(I (?:have )?(?:found|looked (?:it )?up|checked|searched|read)|(?:search|query|lookup) results? (?:show|say|indicate)s?|according to)\b/i,
  /(根据(?:搜索|查询|检索|天气|网页|文档|资料|结果|文库)|(?:搜索|查询|检索)结果(?:显示|表明|是|为)|我(?:已经?)?(?:查到|找到|读了|看了|搜到)|已(?:经)?(?:查到|找到|搜到|查询到))/,
]

const denial =
  /\b(?:not|never|nothing|none|no|neither|cannot|without|un(?:able|available)|fail(?:ed|s|ure|ing)?|refused?|denied|declined|rejected|would|should|could|if|once|unless|until|when|whether|before|after|tried|trying|attempt(?:ed)?)\b|n['’]t\b|没|未|无法|不能|不会|不可|并非|失败|拒绝|如果|若|一旦|尚|等到|是否|之前|之后|尝试|试图|假如/i
const denialAfter = /^\s*(?:\w+\s+)?(?:nothing|none|no\b)|^[^，。]{0,4}(?:失败|不了|不成)/i

/** The word of a deed, or of a finding, that the sentence claims and no call carries; null when there is none. */
export function claimedDeed(sentence: string, { all, kinds }: FailedCalls): string | null {
  return claimOf(sentence, [...[...kinds].flatMap((kind) => patterns[kind]), ...(all ? findings : [])])
}

function claimOf(sentence: string, wanted: readonly RegExp[]): string | null {
  if (/[?？]\s*$/.test(sentence.trim())) return null
  for (const clause of sentence.split(/[,;，；—\n]|\b(?:but|however|so|because)\b|但是?|因为|所以/i)) {
    const plain = ` ${clause.replace(/^[\s#>*•·✅✔-]+/u, '').trimEnd()}`
    for (const pattern of wanted) {
      const found = pattern.exec(plain)
      if (found === null) continue
      const end = found.index + found[0].length
      if (denial.test(plain.slice(0, end)) || denialAfter.test(plain.slice(end))) continue
      return found[1] ?? found[0]
    }
  }
  return null
}

/**
 * Deeds that only a tool can do, and that people go by: what is written into an answer, such as a list that was made or a
 * poem, is none.
 */
const outwardDeeds: Record<'written' | 'sent', RegExp[]> = {
  written: [
    new RegExp(`${subject}(saved|stored|deleted|erased|renamed)\\b`, 'i'),
    /\b(?:I|we)(?:\s+have|['’]ve)?\s+(?:\w+\s+)?(?:written|created|added|recorded|put|moved)\s+(?:\S+\s+){0,6}?(?:file|note|folder|reminder|calendar|disk|database)s?\b/i,
    new RegExp(`${chinese}(保存|存入|存好|存到|写入文件|删除|重命名)`),
    /(保存|删除)(?:成功|完成|完毕|好了|了(?=[。！!，,]|$))|(?:笔记|文件|文档|日程|提醒)(?:已经?|都)(?:保存|创建|新建|写好|建好|删除|存好)/,
  ],
  sent: [
    new RegExp(`${subject}(sent|e-?mailed|booked|ordered|submitted|published|uploaded|downloaded|forwarded|scheduled|messaged)\\b`, 'i'),
    new RegExp(`${chinese}(发送|发出|发给|寄出|提交|发布|预订|订好|上传|下载|转发)`),
    /(发送|提交|发布|预订|上传|下载)(?:成功|完成|完毕|好了|了(?=[。！!，,]|$))/,
  ],
}
/** A letter or a post that the user asked for speaks in the user's name. */
const draft =
  /(?:^|\n)\s*(?:>|subject:|dear\b|hi\s+\S+,|hello\s+\S+,|to whom it may concern|主题[:：]|尊敬的|亲爱的)|(?:best|kind) regards|sincerely|此致|敬礼|祝好/i

/** The words of deeds that an answer claims and that no call of this chat can have done. */
export function undoneDeeds(answer: string, sentences: readonly string[], calls: readonly Done[]): string[] {
  if (draft.test(answer)) return []
  const did = (access: CallRecord['access']): boolean => calls.some((call) => call.status === 'ok' && call.access === access)
  // What JavaScript or an unknown tool did may be anything.
  const wanted = did('run')
    ? []
    : [...(did('write') ? [] : outwardDeeds.written), ...(did('network') || did('write') ? [] : outwardDeeds.sent)]
  return sentences.flatMap((sentence) => claimOf(sentence, wanted) ?? [])
}

const workingWords =
  'work|run|sav|writ|wrote|allow|sen[dt]|done|made|possible|available|permitt|succeed|success|complet|get|got|find|found|giv|reach|load|look|check|fetch|read|execut|grant|able|answer|respond|return|retriev|receiv|know|have|access|go through|went through'
const admission = new RegExp(
  [
    String.raw`\b(?:can(?:not|['’]t| not)|unable|fail(?:ed|s|ure)?|refused|denied|declined|rejected|unavailable|impossible|timed out|time-?out|offline|error|sorry)\b`,
    // "It is not raining" admits nothing: what is denied must be that something worked.
    String.raw`\b(?:could|did|was|were|is|are|do|does|have|has|had|will|would)(?:n['’]t| not)\s+(?:\w+\s+){0,2}?(?:${workingWords})`,
    String.raw`\bcouldn['’]t\b|\bcould not\b|\bnot (?:allowed|able|available|possible|permitted|found|saved|sent|written|run)\b`,
    String.raw`\bno (?:tool|access|result|answer|permission|data|information|connection|reply|response)s?\b|\bnothing (?:was|has been|came)\b|\bwithout (?:access|a result|permission|your permission|the network)\b`,
    '无法|未能|没能|不能|不会|失败|拒绝|不可用|超时|离线|出错|错误|不允许|不被允许|未获|未经|未被|未运行|未保存|未执行|没法|查不到|找不到|连不上|读不到|得不到|不知道|不清楚|抱歉',
    '(?:没有|没|未)(?:被|能|再)?(?:得到|找到|查到|获得|获取|收到|拿到|取得|返回|结果|权限|成功|保存|写入|存下|存好|运行|执行|发送|发出|数据|网络|连接|允许|同意|许可|回应|答复|办法|可用|查|读|做|完成)',
  ].join('|'),
  'i',
)

/** Whether an answer says plainly that something did not work. */
export function admitsFailure(answer: string): boolean {
  return admission.test(answer)
}

const courtesy =
  /^\s*(?:hello|hi|hey|sure|ok(?:ay)?|all right|thanks|thank you|of course|certainly|understood|您好|你好|好的?|当然|谢谢|明白|没问题)(?:[\s,，]+\p{L}+){0,2}[\s!！.。,，~～]*$/iu

/** Whether there is anything in it that could be true or false: a question or a courtesy is not. */
export function saysSomething(sentences: string[]): boolean {
  return sentences.some((sentence) => !/[?？]["”’」』)）\s]*$/.test(sentence) && !courtesy.test(sentence) && /[\p{L}\p{N}]/u.test(sentence))
}

export function failedWords({ all, tools }: FailedCalls, claimed: string[]): string {
  const list = claimed
    .slice(0, 5)
    .map((each) => `“${each}”`)
    .join(', ')
  const which = tools.slice(0, 8).join(', ')
  const calls = all ? `None of your calls gave a result: ${which}.` : `These calls did not work: ${which}.`
  return `(${calls} But your answer claims what only they could give: ${list}. Nothing was done or found by them. Write the whole answer again: say plainly what did not work, claim no result, and make nothing up. Do not mention this check.)`
}
