/** Never searched: they say how something is asked, not what is asked for. */
export const englishStopWords: ReadonlySet<string> = new Set(
  (
    'a about above after again against all also am an and any are as at be because been before being below between both but by can could ' +
    'did do does doing don down during each few for from further had has have having he her here hers herself him himself his how i if in ' +
    'into is it its itself just let ll me might more most must my myself no nor not now of off on once only or other our ours out over own ' +
    're s same shall she should so some such t than that the their theirs them themselves then there these they this those through to too ' +
    'under until up ve very was we were what when where which while who whom whose why will with would you your yours yourself please tell'
  ).split(' '),
)

/**
 * Cut out of a question, longest first; the text on its two sides makes no pair. Only what asks: cutting single characters
 * such as 的 or 在 too was measured to cost a point of recall, since they also stand inside words.
 */
export const chineseStopWords: readonly string[] = (
  '是什么时候 什么时候 为什么 是什么 有什么 什么样 怎么样 怎样 怎么 什么 哪一个 哪一 哪个 哪些 哪里 哪儿 哪位 哪种 哪年 多少 是否 ' +
  '请问 如何 为何 何时 何地 何处 几个 这个 那个 这些 那些 以及 或者 并且 而且 但是 因为 所以 如果 虽然 他们 她们 它们 我们 你们'
)
  .split(' ')
  .sort((a, b) => b.length - a.length)
