import type { CallRecord } from '../../contract/agent.ts'
import { memoryChangingTools } from '../../contract/tools.ts'

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
  // Another way that was tried later, and worked, stands for one that did not; but no other tool writes what one did not write.
  const isLost = (call: Done): boolean =>
    call.access === 'write' ||
    call.access === 'run' ||
    !made
      .slice(made.lastIndexOf(call) + 1)
      .some(({ status, access }) => status === 'ok' && (call.access === null || access === call.access))
  const carried = new Set<CallRecord['access']>(worked.map(({ access }) => access).filter((access) => access === 'network'))
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

const subject = String.raw`(?:(?:\b(?:I|we)(?:\s+have|['’]ve)?|\b(?:has|have|had)\s+been|\b(?:was|were|is\s+now|are\s+now)|\b(?:successfully|done[:,.!]?))\s+(?:(?!not\b|never\b|no\b)\w+\s+){0,2}?|^\s+(?:(?:also|then|now|just)\s+)?)`
/** "Note saved." says what is done; "The landlord sent you a letter" tells of somebody else. */
const noun = String.raw`^\s+(?:(?!(?:not|never|no|you|he|she|it|they|who|which|that|this|I|we)\b)\w+\s+){1,3}?`
const nounEnd = String.raw`\b(?=\s*(?:$|[.!。]|successfully\b|(?:to|in|as|into|for)\s+(?:the|your|my|a)\b))`

function claims(verbs: string): RegExp[] {
  return [new RegExp(`${subject}(${verbs})\\b`, 'i'), new RegExp(`${noun}(${verbs})${nounEnd}`, 'i')]
}

const chinese = String.raw`(?:已(?:经|為|为)?|成功|刚刚|我(?:把|将).{1,20}?)(?:[^，。；,;尝试试图未没不]{0,8}?)`
const patterns: Record<Deed, RegExp[]> = {
  written: [
    ...claims('saved|written|wrote|stored|created|recorded|added|updated|deleted|removed|renamed|moved|changed|remembered|noted'),
    new RegExp(`${chinese}(保存|写入|写好|写进|写到|存入|存好|存到|创建|新建|记录|记下|记住|添加|更新|删除|修改|生成)`),
    /(保存|写入|创建|记录|添加|更新|删除|修改)(?:成功|完成|完毕|好了|了(?=[。！!，,]|$))/,
  ],
  sent: [
    ...claims('sent|posted|e-?mailed|booked|ordered|submitted|published|uploaded|downloaded|forwarded|scheduled|messaged'),
    new RegExp(`${chinese}(发送|发出|发给|寄出|提交|发布|预订|订好|上传|下载|转发|通知)`),
    /(发送|提交|发布|预订|上传|下载)(?:成功|完成|完毕|好了|了(?=[。！!，,]|$))/,
  ],
  run: [
    ...claims('ran|run|executed|computed|tested'),
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
  return claimsOf(sentence, wanted)[0] ?? null
}

/** One for each clause at most. */
function claimsOf(sentence: string, wanted: readonly RegExp[]): string[] {
  if (/[?？]\s*$/.test(sentence.trim())) return []
  return clausesOf(sentence).flatMap((clause) => {
    const plain = ` ${clause.replace(/^[\s#>*•·✅✔-]+/u, '').trimEnd()}`
    for (const pattern of wanted) {
      const found = pattern.exec(plain)
      if (found === null) continue
      const end = found.index + found[0].length
      if (!denial.test(plain.slice(0, end)) && !denialAfter.test(plain.slice(end))) return [found[1] ?? found[0].trim()]
    }
    return []
  })
}

/** What is joined by "and" is a clause of its own where the assistant speaks, unless it was denied or supposed before. */
function clausesOf(sentence: string): string[] {
  return sentence.split(/[,;，；—\n]|\b(?:but|however|so|because)\b|但是?|因为|所以/i).flatMap((clause) => {
    const parts = clause.split(/\band\b|并且?|而且/i)
    return denial.test(clause) || !/\b(?:I|we|done|successfully)\b|我|已/i.test(parts[0] ?? '') ? [clause] : parts
  })
}

/**
 * Deeds that only a tool can do, and that people go by: what is written into an answer, such as a list that was made or a
 * poem, is none.
 */
const outwardDeeds = {
  written: [
    ...claims('saved|stored|deleted|erased|renamed'),
    /\b(?:I|we)(?:\s+have|['’]ve)?\s+(?:\w+\s+)?(?:written|created|added|recorded|put|moved|set(?:\s+up)?)\s+(?:\S+\s+){0,6}?(?:file|note|folder|reminder|alarm|timer|calendar|disk|database)s?\b/i,
    /\b(?:reminder|alarm|timer|event|appointment)s?\s+(?:(?:has|have)\s+been|is|are)\s+(?:now\s+)?(set|created|added|scheduled)\b/i,
    /\b(?:note|file|document|report|copy)s?\s+(?:is|are)\s+(now (?:in|on|at)|ready in)\b/i,
    new RegExp(`${chinese}(保存|存入|存好|存到|写入文件|删除|重命名|设置|设定|设好)`),
    /(保存|删除)(?:成功|完成|完毕|好了|了(?=[。！!，,]|$))|(?:笔记|文件|文档|日程|提醒|闹钟)(?:已经?|都)(?:保存|创建|新建|写好|建好|删除|存好|设置|设定|设好|添加|加入)/,
  ],
  sent: [
    ...claims('sent|e-?mailed|booked|ordered|submitted|published|uploaded|downloaded|forwarded|scheduled|messaged'),
    new RegExp(`${chinese}(发送|发出|发给|寄出|提交|发布|预订|订好|上传|下载|转发)`),
    /(发送|提交|发布|预订|上传|下载)(?:成功|完成|完毕|好了|了(?=[。！!，,]|$))/,
  ],
  run: [
    /\b(?:I|we)(?:\s+have|['’]ve)?\s+(?:just\s+)?(ran|run|executed|tested)\s+(?:the|your|this|that|some|a)?\s*(?:\w+\s+){0,2}?(?:code|script|program|command|snippet|query|test)s?\b/i,
    /我(?:已经?|刚刚?|刚才)?(?:运行|执行|跑)了?(?:一下|一遍)?(?:这段|该|您的|你的|那段)?(?:代码|脚本|程序|命令)/,
  ],
  looked: [
    /\b(?:I|we)(?:\s+have|['’]ve)?\s+(?:just\s+)?(searched|checked|browsed|googled|looked\s+(?:it\s+)?up)\s+(?:\S+\s+){0,3}?(?:web|internet|online|google|wikipedia|news|site|website)\b/i,
    /我(?:已经?|刚刚?|刚才)?(?:在|从|到)?(?:网上|互联网|网络)?(?:上网|联网)?(搜索|搜了|查了|查到|搜到|检索)(?:了)?(?:一下)?(?:网络|网页|互联网|网上|新闻)/,
    /我(?:已经?|刚刚?|刚才)?(?:在网上|上网|联网|从网上)(搜索|搜|查|找|检索)(?:了|到|过)/,
  ],
  remembered: [
    /\b(?:I|we)(?:\s+have|['’]ve)\s+(?:\w+\s+)?(remembered|noted|memori[sz]ed)\b/i,
    /\b(?:I['’]ll|I\s+will|I\s+shall)\s+(?:\w+\s+)?(remember)\s+(?:it|this|that|your|you)\b/i,
    /\b(?:preference|wish|birthday|name|address)s?\s+(?:has|have)\s+been\s+(?:\w+\s+)?(noted|remembered|stored|saved)\b/i,
    /^\s*(?:好的?)?我?(?:已经?|都|会)?(记住|记下|记好)(?:了|您|你|这|的|$)/,
    new RegExp(`${chinese}(记住|记下)`),
  ],
} satisfies Record<string, RegExp[]>
const forThisChat = /\b(?:conversation|chat|session)\b|(?:本次|这次|当前|这个|此次)(?:对话|聊天|会话)/i
/** A letter or a post that the user asked for speaks in the user's name. */
const draft =
  /(?:^|\n)\s*(?:>|subject:|dear\b|hi\s+\S+,|hello\s+\S+,|to whom it may concern|主题[:：]|尊敬的|亲爱的)|(?:best|kind) regards|sincerely|此致|敬礼|祝好/i

/** The words of deeds that an answer claims and that no call of this chat can have done. */
export function undoneDeeds(answer: string, sentences: readonly string[], calls: readonly Done[]): string[] {
  if (draft.test(answer)) return []
  const worked = calls.filter(({ status }) => status === 'ok')
  const did = (access: CallRecord['access']): boolean =>
    worked.some((call) => call.access === access && !memoryChangingTools.has(call.tool))
  const hasRemembered = worked.some(({ tool }) => tool === 'remember')
  const remembered = hasRemembered ? [] : outwardDeeds.remembered
  // What JavaScript or an unknown tool did may be anything.
  const wanted = did('run')
    ? []
    : [
        ...(did('write') ? [] : outwardDeeds.written),
        ...(did('network') || did('write') ? [] : outwardDeeds.sent),
        ...(did('network') ? [] : outwardDeeds.looked),
        ...outwardDeeds.run,
      ]
  const words = sentences.flatMap((sentence) => {
    // What a passage tells is not the assistant's deed.
    if (/\[\d{1,3}\]/.test(sentence) && !/\b(?:I|we)\b|我/i.test(sentence)) return []
    return claimsOf(sentence, forThisChat.test(sentence) ? wanted : [...wanted, ...remembered])
  })
  return [...new Set(words)]
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

/** Asks for the answer once more, without what was not done. */
export function undoneWords(deeds: readonly string[]): string {
  const list = deeds
    .slice(0, 5)
    .map((each) => `“${each}”`)
    .join(', ')
  return `(Your answer says that something was done: ${list}. No tool was called that did it, so it is not done. Write the whole answer again: say plainly what you did not do, and what the user can do. Do not mention this check.)`
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
