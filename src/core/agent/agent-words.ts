import type { Language } from '../../contract/library.ts'

/** Sentences of the agent's own for a person, in the question's language. */
export interface AgentWords {
  limit(reason: 'step-limit' | 'repeated-calls' | 'budget', missing: string[]): string
  cutOff: string
  planOpen(parts: string[]): string
  imageUnread(name: string, model: string): string
  audioUnread(name: string): string
  audioFailed(name: string, why: string): string
  audioSilent(name: string): string
  imageBroken(name: string): string
  fileUnread(name: string): string
  fileCut(name: string, given: number, of: number): string
}

const english: AgentWords = {
  limit(reason, missing) {
    const why = {
      'step-limit': 'I came to the limit of steps before this was finished.',
      'repeated-calls': 'I stopped because the same call was made again and again without getting further.',
      budget: 'I came to the limit of time, tokens or calls before this was finished.',
    }[reason]
    return missing.length === 0 ? `${why} The question is not answered in full.` : `${why} Still missing: ${missing.join('; ')}.`
  },
  planOpen: (parts) => `The answer came while parts of the plan were open: ${parts.join('; ')}.`,
  cutOff: 'The model’s answer was cut off: it may not be whole.',
  imageUnread: (name, model) => `${name} was not seen: ${model} cannot see pictures. Choose a model with vision.`,
  audioUnread: (name) => `${name} was not heard: choose a transcription model in Models, or a chat model that hears.`,
  audioFailed: (name, why) => `${name} could not be heard: ${why}`,
  audioSilent: (name) => `No words were heard in ${name}.`,
  imageBroken: (name) => `${name} is damaged, or no picture.`,
  fileCut: (name, given, of) => `Of ${name} its beginning was given: ${given} of ${of} characters. The agent can read on.`,
  fileUnread: (name) => `${name} was not read: it is no text. Add it to the library to have it read.`,
}

const chinese: AgentWords = {
  limit(reason, missing) {
    const why = {
      'step-limit': '步数已到上限，任务还没有做完。',
      'repeated-calls': '同一个调用反复出现而没有进展，所以停下了。',
      budget: '时间、词元或调用次数已到上限，任务还没有做完。',
    }[reason]
    return missing.length === 0 ? `${why}这个问题还没有完整的回答。` : `${why}还缺：${missing.join('；')}。`
  },
  planOpen: (parts) => `计划里还有没做的部分：${parts.join('；')}。`,
  cutOff: '模型的回答被截断了，可能不完整。',
  imageUnread: (name, model) => `没有看 ${name}：${model} 不能看图片。请选一个能看图的模型。`,
  audioUnread: (name) => `没有听 ${name}：请在“模型”里选一个转写模型，或选一个能听的对话模型。`,
  audioFailed: (name, why) => `无法听 ${name}：${why}`,
  audioSilent: (name) => `${name} 里没有听到说话。`,
  imageBroken: (name) => `${name} 已损坏，或不是图片。`,
  fileCut: (name, given, of) => `${name} 只给出了开头：${of} 个字符中的 ${given} 个。智能体可以接着读。`,
  fileUnread: (name) => `没有读 ${name}：它不是文本。请把它加进文库来读。`,
}

export function agentWords(language: Language): AgentWords {
  return language === 'zh' ? chinese : english
}
