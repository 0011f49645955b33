import type { Language } from '../../contract/library.ts'

/** The few words that stand in an answer's own text, in the question's language. */
export interface AnswerWords {
  notInLibrary: string
  nearest: string
  nothing: string
}

const english: AnswerWords = {
  notInLibrary: 'Nothing in the library seems to answer this question.',
  nearest: 'These passages come nearest:',
  nothing: 'No passage of the library matches this question.',
}

const chinese: AnswerWords = {
  notInLibrary: '文库里似乎没有能回答这个问题的内容。',
  nearest: '最接近的段落是：',
  nothing: '文库里没有与这个问题相符的段落。',
}

export function answerWords(language: Language): AnswerWords {
  return language === 'zh' ? chinese : english
}
