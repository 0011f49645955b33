import { languageOf } from '../search/search.ts'

export type Embed = (texts: string[]) => Promise<(Float32Array | null)[]>

/** Compares sentences of different languages: cosines of vectors from which each language's middle has been taken away. */
export interface Meaning {
  /** The greatest similarity with one of the sentences; -1 when nothing can be said. */
  nearness(claim: string, parts: readonly string[]): number
  nearest(claim: string, parts: readonly string[]): string | null
}

/** Everyday sentences that stand for "text of this language", since an answer alone is too little to take a mean of. */
const neutral = {
  en: [
    'The meeting was moved to Thursday because the room was not free.',
    'The river reaches the sea after three hundred kilometres.',
    'Please send the signed contract back before the end of the month.',
    'The temperature of the water rises when the lid is closed.',
    'She wrote her first book when she was still at university.',
    'The king lost the war and gave up the eastern provinces.',
    'Press the button twice to save the settings of the device.',
    'The company sold more in spring, but its costs rose as well.',
    'The species lives in forests and eats insects and seeds.',
    'The function returns an error when the file does not exist.',
    'The city built a new bridge with money from the state.',
    'The study compared two groups of patients over five years.',
  ],
  zh: [
    '由于会议室没有空，会议改到了周四。',
    '这条河流经三百公里后入海。',
    '请在月底之前寄回签好的合同。',
    '盖上盖子后，水的温度会升高。',
    '她还在上大学时就写了第一本书。',
    '国王战败，放弃了东部各省。',
    '按两次按钮即可保存设备的设置。',
    '公司春季销量增加，但成本也上升了。',
    '该物种生活在森林中，以昆虫和种子为食。',
    '文件不存在时，该函数返回错误。',
    '该市用国家拨款修建了一座新桥。',
    '该研究对两组患者进行了五年的比较。',
  ],
}

export async function createMeaning(embed: Embed, { claims, parts }: { claims: string[]; parts: string[] }): Promise<Meaning | null> {
  if (claims.length === 0 || parts.length === 0) return null
  const texts = [...new Set([...neutral.en, ...neutral.zh, ...claims, ...parts])]
  const vectors = await embed(texts)
  const known = new Map<string, Float32Array>()
  texts.forEach((text, index) => {
    const vector = vectors[index]
    if (vector) known.set(text, vector)
  })
  const means = new Map<string, Float32Array>()
  for (const [language, sentences] of [
    ['en', [...neutral.en]],
    ['zh', [...neutral.zh]],
  ] as [string, string[]][]) {
    const some = [...sentences, ...parts.filter((part) => languageOf(part) === language)]
    const mean = middle(some.flatMap((text) => known.get(text) ?? []))
    if (mean) means.set(language, mean)
  }
  const all = middle([...known.values()])
  const ready = new Map<string, Float32Array>()
  for (const [text, vector] of known) {
    const mean = means.get(languageOf(text)) ?? all
    if (mean) ready.set(text, away(vector, mean))
  }

  function similarity(a: string, b: string): number {
    const one = ready.get(a)
    const other = ready.get(b)
    if (!one || !other) return -1
    let sum = 0
    for (let index = 0; index < one.length; index++) sum += one[index]! * other[index]!
    return sum
  }

  return {
    nearness: (claim, sentences) => sentences.reduce((best, sentence) => Math.max(best, similarity(claim, sentence)), -1),
    nearest(claim, sentences) {
      let best: string | null = null
      let most = -1
      for (const sentence of sentences) {
        const value = similarity(claim, sentence)
        if (value > most) {
          most = value
          best = sentence
        }
      }
      return best
    },
  }
}

function middle(vectors: Float32Array[]): Float32Array | null {
  const first = vectors[0]
  if (!first) return null
  const mean = new Float32Array(first.length)
  for (const vector of vectors)
    for (let index = 0; index < mean.length; index++) mean[index] = mean[index]! + vector[index]! / vectors.length
  return mean
}

function away(vector: Float32Array, mean: Float32Array): Float32Array {
  const result = vector.map((value, index) => value - mean[index]!)
  const length = Math.hypot(...result)
  return length > 1e-9 ? result.map((value) => value / length) : result.fill(0)
}
