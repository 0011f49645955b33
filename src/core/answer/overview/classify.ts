import type { DocumentKind, DocumentStatus } from '../../../contract/library.ts'
import type { FileQuery } from '../../../contract/tables.ts'
import { takeAsked } from './asked.ts'
import { takeSpan } from './dates.ts'
import { namePattern, readQuestion, type Reading } from './text.ts'

/** What a question needs that the top passages cannot give. Only what is certain is anything but `passage`. */
export type Overview =
  | { kind: 'words'; words: string; quoted: boolean; want: 'occurrences' | 'documents'; query: FileQuery }
  | { kind: 'files'; want: 'count' | 'list' | 'changed' | 'pages' | 'size' | 'kind' | 'added'; query: FileQuery }
  | { kind: 'summary'; target: SummaryTarget }
  /** It counts, adds up, compares or lists: a table may answer it, if one has what it names. */
  | { kind: 'table' }
  | { kind: 'passage' }

export type SummaryTarget = { of: 'library' } | { of: 'folder'; folderId: number } | { of: 'document'; documentId: number }

/** What the library has, by name. */
export interface Names {
  now: number
  folders: readonly { id: number; name: string }[]
  /** The one document of this name or title. */
  document(name: string): number | null
}

export function classify(question: string, names: Names): Overview {
  const text = question
    .normalize('NFKC')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[?.!。?!\s]+$/u, '')
  if (text.length > 300) return { kind: 'passage' }
  return wordsIn(text) ?? filesIn(text, names) ?? summaryIn(text, names) ?? (asksForTable(text) ? { kind: 'table' } : { kind: 'passage' })
}

const fileWord = '(?:files?|documents?|docs?|papers?|notes?|pdfs?(?: files?)?)'
const has = '(?:mention|mentions|contain|contains|include|includes|have|has|use|uses|refer to|refers to|talk about)'
const quotes = '["“”\'‘’「」『』《》]'

const wordPatterns: [RegExp, 'occurrences' | 'documents'][] = [
  [
    /^how (?:often|many times) (?:does|do|did|is|are|was|were|has|have)(?: the)?(?: word| phrase| term| name| string)?s? (?<x>.+?) (?:appear|appears|occur|occurs|come up|show up|mentioned|used|found|been mentioned|been used)(?: in .{0,40})?$/i,
    'occurrences',
  ],
  [
    /^(?:how many|count(?: all)?(?: the)?|what is the number of|number of)(?: the)? (?:occurrences|mentions|instances) of(?: the)?(?: word| phrase| term| name)? ?(?<x>.+?)(?: (?:are there|do i have|occur))?(?: in (?:the|my|this) (?:library|documents|files|folder))?$/i,
    'occurrences',
  ],
  [new RegExp(`^how many (?:of (?:my|the) )?${fileWord} ${has}(?: the)?(?: word| phrase| term| name)? ?(?<x>.+)$`, 'i'), 'documents'],
  [
    new RegExp(`^(?:which|what) (?:files|documents|docs|papers|notes|pdfs) ${has}(?: the)?(?: word| phrase| term| name)? ?(?<x>.+)$`, 'i'),
    'documents',
  ],
  [
    new RegExp(
      `^(?:list|show|find|give me)(?: me)?(?: all)?(?: of)?(?: the| my)? ${fileWord} (?:that|which) ${has}(?: the)?(?: word| phrase| term| name)? ?(?<x>.+)$`,
      'i',
    ),
    'documents',
  ],
  [
    /^(?:list|find|show)(?: me)? (?:all|every)(?: the)? (?:occurrences?|mentions?|places?|passages?) (?:of|with|that mentions?|where) (?:the (?:word|phrase|term|name) )?(?<x>.+?)(?: (?:is|are) mentioned)?$/i,
    'occurrences',
  ],
  [
    /^(?:请问|请|帮我)?(?:统计|数|查)?(?:一下)?(?<x>.+?)(?:这个词|一词|这个词语|这几个字|这个名字)?(?:在.{0,12}(?:里|中))?(?:一共|总共|共)?(?:出现|提到|提及|被提到|被提及)(?:了|过)?(?:几|多少)(?:次|处|回)$/,
    'occurrences',
  ],
  [/^(?:请|帮我)?(?:统计|数)(?:一下)?(?<x>.+?)(?:这个词|一词)?(?:出现|被提到)?的?次数$/, 'occurrences'],
  [
    /^(?:请问|一共|总共|库里|文库里|文库中)?(?:一共|总共)?有?(?:多少|几)(?:个|份|篇|本|封)?(?:文件|文档|资料|文章|笔记|pdf)(?:里|中|里面)?(?:提到|提及|包含|含有|出现|写到|涉及|有)(?:了|过)?(?<x>.+)$/i,
    'documents',
  ],
  [
    /^(?:请问)?(?:有)?哪(?:些|几个|几份)(?:文件|文档|资料|文章|笔记|pdf)(?:里|中|里面)?(?:提到|提及|包含|含有|出现|写到)(?:了|过)?(?<x>.+)$/i,
    'documents',
  ],
  [
    /^(?:请|帮我)?(?:列出|找出|列举)(?:所有|全部)?(?:提到|提及|包含|含有|出现)(?:了|过)?(?<x>.+?)的(?:所有|全部)?(?:文件|文档|资料|文章|笔记)$/,
    'documents',
  ],
]

function wordsIn(text: string): Overview | null {
  for (const [pattern, want] of wordPatterns) {
    const found = pattern.exec(text)?.groups?.['x']?.trim()
    if (found === undefined) continue
    const inQuotes = new RegExp(`^${quotes}(?<inner>[^"“”「」『』《》]+)${quotes}(?:这个词|一词|的内容)?$`).exec(found)?.groups?.['inner']
    if (inQuotes !== undefined) return { kind: 'words', words: inQuotes.trim(), quoted: true, want, query: {} }
    const plain = found.replace(/^(?:the|a|an) /i, '').replace(/(?:的内容|这个词|一词)$/, '')
    return isPhrase(plain) ? { kind: 'words', words: plain, quoted: false, want, query: {} } : null
  }
  return null
}

/** Words that may stand in a text as they are, and do not describe something. */
function isPhrase(words: string): boolean {
  if (/[,;:，；：、]/.test(words)) return false
  if (/\b(?:how|why|when|what|which|that|who|whose|where|more than|less than|at least|between|any|or|not|both|each)\b/i.test(words))
    return false
  if (/[什么哪怎谁]|如何|为何|或者|以上|以下|超过|不/.test(words)) return false
  return /[\u3400-\u9fff]/.test(words) ? [...words].length <= 12 : words.split(' ').length <= 3
}

const kinds: [RegExp, { kinds?: DocumentKind[]; extensions?: string[] }][] = [
  [/\bpdfs?(?: (?:files?|documents?))?\b|pdf(?:文件|文档)?/, { kinds: ['pdf'] }],
  [/\b(?:word|docx?) (?:files?|documents?|docs?)\b|\bdocx?\b(?! file)|word(?:文件|文档)/, { kinds: ['word'] }],
  [/\bcsvs?(?: files?)?\b|csv(?:文件)?/, { extensions: ['csv'] }],
  [
    /\b(?:spreadsheets?|workbooks?|(?:excel|xlsx?)(?: (?:files?|sheets?|documents?|workbooks?))?)\b|(?:excel|电子)(?:文件|文档|表格)|excel/,
    { kinds: ['sheet'] },
  ],
  [
    /\b(?:presentations?|slide ?decks?|(?:powerpoints?|pptx?)(?: files?| presentations?)?)\b|幻灯片|演示文稿|ppt(?:文件)?/,
    { kinds: ['slides'] },
  ],
  [/\b(?:e-?books?|epubs?)(?: files?)?\b|电子书|epub(?:文件)?/, { kinds: ['epub'] }],
  [/\b(?:emails?|e-mails?|mails?)(?: files?| messages?)?\b|邮件|电邮/, { kinds: ['mail'] }],
  [/\b(?:images?|pictures?|photos?)(?: files?)?\b|图片|照片|图像/, { kinds: ['image'] }],
  [/\b(?:sound|audio) (?:files?|recordings?)\b|(?:录音|音频|声音)文件/, { kinds: ['sound'] }],
  [/\bmarkdown(?: (?:files?|notes?|documents?))?\b|markdown(?:文件|文档)?/, { kinds: ['markdown'] }],
  [/\b(?:text|txt) files?\b|文本文件|txt(?:文件)?/, { kinds: ['text'] }],
  [/\b(?:source )?code files?\b|代码文件|源代码/, { kinds: ['code'] }],
  [/\b(?:web ?pages?|html)(?: files?)?\b|网页(?:文件)?|html(?:文件)?/, { kinds: ['html'] }],
  [/\b(?:archives?|zip)(?: files?)?\b|压缩包|压缩文件/, { kinds: ['archive'] }],
  [/\b(?:files?|documents?|docs)\b|文件|文档|资料/, {}],
]

const statuses: [RegExp, DocumentStatus[]][] = [
  [
    /\b(?:(?:could|can|were|was|have been|are)(?: ?not|n't) (?:be )?read|are unreadable)\b|(?:没有?(?:能|被)?读出来|没有?读到|读不出来|无法读取|不能读取)/,
    ['failed', 'skipped'],
  ],
  [/\b(?:failed(?: to be read)?|are (?:damaged|broken))\b|(?:读取失败|打不开|失败)/, ['failed']],
  [/\b(?:were|was|are|have been) skipped\b|(?:被)?跳过/, ['skipped']],
  [/\bpart(?:ly|ially) read\b|部分读取|只读了一部分/, ['partial']],
  [
    /\b(?:are|is)? ?(?:still )?(?:waiting|not (?:yet )?(?:read|indexed)(?: yet)?)\b|(?:还没|尚未|没有)(?:读取|索引|读完)|等待(?:中|读取)?/,
    ['waiting', 'reading'],
  ],
  [/\b(?:are )?(?:ready|(?:were |been )?(?:indexed|read))\b|(?:已经?)?(?:就绪|读完|索引好)/, ['ready', 'partial']],
]

const changedWords =
  /\b(?:has |have |had |been |was |were |got )*(?:changed|modified|edited|updated|new|happened)\b|(?:发生|有)?(?:了|过)?(?:改动|修改|更新|变化|变动|变更|改|变)(?:了|过)?/
const addedWords = /\b(?:has |have |had |been |was |were |did i |i )*(?:added|add)\b|(?:新增|新加|添加|加入|新添)(?:了|过)?/

const extremes: [RegExp, FileQuery['order'], boolean][] = [
  [/\b(?:largest|biggest|heaviest)\b|最大/, 'size', true],
  [/\bsmallest\b|最小/, 'size', false],
  [/\b(?:longest|most pages)\b|最长|页数最多/, 'pages', true],
  [
    /\b(?:newest|latest|most recent(?:ly (?:changed|modified|edited))?|last (?:changed|modified|edited))\b|最新|最近(?:修改|更新|改动)(?:过|了)?/,
    'modified',
    true,
  ],
  [/\b(?:most recently|last|latest) added\b|最近(?:添加|加入|新增)(?:过|了)?/, 'added', true],
  [/\boldest\b|最旧|最早|最老/, 'modified', false],
]

function filesIn(text: string, names: Names): Overview | null {
  const one = factOfOne(text, names)
  if (one !== null) return one
  const reading = readQuestion(text)
  const isCount = reading.take(/\bhow many\b|\bnumber of\b|\bcount\b|多少|几(?=[个份篇本封张])/) !== null
  const isPages = isCount && reading.take(/\bpages\b|页/) !== null
  const isSize =
    !isCount && reading.take(/\bhow (?:big|large)\b|\b(?:total|combined) size\b|(?:一共|总共|总)?(?:占|有)?(?:多大|大小|空间)/) !== null
  const isList = !isCount && reading.take(/\b(?:list|show|name|which|what)\b|列出|列举|显示|哪些|哪几个|有什么/) !== null
  const query: FileQuery = {}
  for (const [pattern, order, descending] of extremes) {
    if (reading.take(pattern) === null) continue
    const few = reading.take(/\b(?:top )?(\d{1,2}|two|three|five|ten)\b|(?:前)?(\d{1,2}|[三五十两])(?:个|份|篇)/)
    Object.assign(query, { order, descending, limit: few === null ? 5 : countWord(few[1] ?? few[2] ?? '') })
    break
  }
  const isExtreme = query.order !== undefined
  const folder = takeFolder(reading, names)
  if (folder !== null) query.scope = { folderIds: [folder] }
  const span = takeSpan(reading, names.now)
  for (const [pattern, chosen] of statuses) {
    if (reading.take(pattern) === null) continue
    query.statuses = chosen
    break
  }
  const added = reading.take(addedWords) !== null
  const changed = !added && reading.take(changedWords) !== null
  let isFiles = false
  for (const [pattern, chosen] of kinds) {
    if (reading.take(pattern) === null) continue
    Object.assign(query, chosen)
    isFiles = true
    reading.take(/\bfiles?\b|文件|文档/)
    break
  }
  reading.take(/\b(?:in|from|of)? ?(?:my |the |this )?(?:library|siku|folders?|collection)\b|(?:文库|知识库|资料库|库|文件夹)/)
  if (!reading.isUsedUp()) return null
  if (span !== null) {
    if (!changed && !added) return null
    const before = span.before ?? undefined
    Object.assign(query, added ? { addedFrom: span.from, addedBefore: before } : { modifiedFrom: span.from, modifiedBefore: before })
    if (!isCount) return { kind: 'files', want: 'changed', query: { order: added ? 'added' : 'modified', descending: true, ...query } }
  } else if (changed || (added && !isCount && !isExtreme)) return null
  if (!isFiles && span === null) return null
  if (isPages) return { kind: 'files', want: 'pages', query }
  if (isCount) return { kind: 'files', want: 'count', query }
  if (isExtreme) return { kind: 'files', want: 'list', query }
  if (isSize) return { kind: 'files', want: 'size', query }
  // "The documents" alone asks for nothing.
  return isList ? { kind: 'files', want: 'list', query } : null
}

function countWord(word: string): number {
  return Number(word) || ({ two: 2, three: 3, five: 5, ten: 10, 两: 2, 三: 3, 五: 5, 十: 10 }[word] ?? 5)
}

function takeFolder(reading: Reading, { folders }: Names): number | null {
  for (const { id, name } of [...folders].sort((one, other) => other.name.length - one.name.length)) {
    const pattern = namePattern(name)
    if (pattern === null) continue
    const marked = new RegExp(
      `(?:in |from |of )(?:the |my )?(?:folder )?["“]?${pattern.source}["”]?(?: folder)?|[“「《]?${pattern.source}[”」》]?(?:这个)?(?:文件夹|目录)?(?:里|中|下)`,
    )
    if (reading.take(marked) !== null) return id
  }
  return null
}

/** "How many pages does report.pdf have", "report.pdf 有多大". */
function factOfOne(text: string, names: Names): Overview | null {
  const asked: [RegExp, 'pages' | 'size' | 'changed' | 'kind' | 'added'][] = [
    [/^how many pages (?:does|do|has|are in|are there in) (?:the )?(?:file |document )?(?<x>.+?)(?: have| contain| got)?$/i, 'pages'],
    [/^how (?:big|large) is (?:the )?(?:file |document )?(?<x>.+)$/i, 'size'],
    [/^when was (?:the )?(?:file |document )?(?<x>.+?) (?:last )?(?:changed|modified|edited|updated|saved)$/i, 'changed'],
    [/^when was (?:the )?(?:file |document )?(?<x>.+?) (?:first )?added(?: to (?:the |my )?library)?$/i, 'added'],
    [
      /^(?:what (?:kind|type|format|sort)(?: of (?:a )?(?:file|document))? is|what is the (?:file )?(?:format|type|kind) of) (?:the )?(?:file |document )?(?<x>.+?)(?: in)?$/i,
      'kind',
    ],
    [/^(?<x>.+?)(?:一共|总共)?有(?:多少|几)页$/, 'pages'],
    [/^(?<x>.+?)(?:这个文件)?是(?:什么|哪种)(?:格式|类型|种类)(?:的(?:文件)?)?$/, 'kind'],
    [/^(?<x>.+?)(?:的)?(?:文件)?(?:格式|类型)是什么$/, 'kind'],
    [/^(?<x>.+?)(?:是)?(?:什么时候|何时)(?:被)?(?:添加|加入|加进来|放进来)(?:到文库|文库)?的?$/, 'added'],
    [/^(?<x>.+?)(?:这个文件)?有?多大$/, 'size'],
    [/^(?<x>.+?)(?:是)?(?:什么时候|何时)(?:最后)?(?:修改|更新|改动)的?(?:过)?$/, 'changed'],
  ]
  for (const [pattern, want] of asked) {
    const name = pattern.exec(text)?.groups?.['x']
    const documentId = name === undefined ? null : documentOf(name, names)
    if (documentId !== null) return { kind: 'files', want, query: { scope: { documentIds: [documentId] } } }
  }
  return null
}

function documentOf(name: string, names: Names): number | null {
  const bare = name.trim().replace(new RegExp(`^${quotes}|${quotes}$`, 'g'), '')
  return (
    names.document(bare) ??
    names.document(bare.replace(/^(?:the|my|this) (?:file |document )?/i, '').replace(/(?:这个)?(?:文件|文档)$| (?:file|document)$/i, ''))
  )
}

const summaryPatterns = [
  /^(?:please |can you |could you )*(?:summari[sz]e|sum up|outline) (?<x>.+?)(?: for me)?$/i,
  /^(?:please )?(?:give me |write |show me )?(?:a |an )?(?:short |brief )?(?:summary|overview|outline|gist) of (?<x>.+)$/i,
  /^what(?: is|'s|’s| are) (?<x>.+?) (?:all )?about$/i,
  /^what does (?<x>.+?) (?:say|cover|deal with) (?:overall|in general|as a whole)$/i,
  /^(?:请|帮我|请帮我)?(?:总结|概括|归纳|概述|简述)(?:一下)?(?<x>.+?)(?:的(?:主要)?内容)?$/,
  /^(?<x>.+?)(?:主要|大概|大致|都|到底|究竟)*(?:讲|说|写|介绍)(?:了|的是|的)?(?:些|一些)?(?:什么|啥)(?:内容)?$/,
  /^(?<x>.+?)(?:是)?关于什么的?$/,
  /^(?<x>.+?)的(?:主要内容|大意|概要|摘要|梗概)(?:是什么)?$/,
]

const wholeLibrary =
  /^(?:(?:all |everything|the whole |my whole |the entire )?(?:of )?(?:my |the |this |these )?(?:library|documents|files|collection)|everything|(?:我的|整个|所有|全部|这个|这些)*(?:文库|资料库|知识库|文件|文档|资料))$/i

function summaryIn(text: string, names: Names): Overview | null {
  for (const pattern of summaryPatterns) {
    const x = pattern.exec(text)?.groups?.['x']?.trim()
    if (x === undefined) continue
    if (wholeLibrary.test(x)) return { kind: 'summary', target: { of: 'library' } }
    const isThisFolder = /^(?:the|this|my) folder$|^(?:这个|该|本)?(?:文件夹|目录)(?:里的?(?:文件|内容|东西)?)?$/i.test(x)
    if (isThisFolder) return names.folders.length === 1 ? summaryOf(names.folders[0]!.id) : { kind: 'summary', target: { of: 'library' } }
    const reading = readQuestion(x)
    for (const { id, name } of [...names.folders].sort((one, other) => other.name.length - one.name.length)) {
      const own = namePattern(name)
      const isFolder = own !== null && /folder|directory|文件夹|目录/.test(reading.rest) && reading.take(own) !== null
      if (!isFolder) continue
      reading.take(/\bfolder\b|\bdirectory\b|文件夹|目录/)
      return reading.isUsedUp() ? summaryOf(id) : null
    }
    const documentId = documentOf(x, names)
    if (documentId !== null) return { kind: 'summary', target: { of: 'document', documentId } }
  }
  return null
}

function summaryOf(folderId: number): Overview {
  return { kind: 'summary', target: { of: 'folder', folderId } }
}

const comparing =
  /\b(?:more|less|greater|larger|higher|lower|smaller|fewer|later|earlier) than\b|\b(?:over|above|under|below|between|exceed|before|after|since) ?\D{0,4}\d|大于|小于|超过|不到|不足|高于|低于|多于|少于|至少|不少于|不低于|以上|以下|之间|之前|之后|以前|以后/
const grouping = /\b(?:per|for each|by) \w+$|每个|各个?|按.+统计/

/** It has words of counting, adding up, comparing, listing, or of choosing: which table can tell decides what it has. */
function asksForTable(text: string): boolean {
  const reading = readQuestion(text)
  if (takeAsked(readQuestion(text)) !== null) return true
  return (
    reading.has(grouping) ||
    reading.has(/\b(?:which|who|whose)\b|哪[个些一几份位名条种家]|谁/) ||
    (reading.has(/\bwhat\b|哪/) && reading.has(comparing))
  )
}
