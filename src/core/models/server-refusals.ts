import type { ModelEvent } from './chat-model.ts'

/** Whether a server says that this model takes no tools: Ollama, llama.cpp without its templates, vLLM without a parser, … */
export function refusesTools(message: string): boolean {
  return (
    /(?:tool|function)(?:s|[ -]?call(?:s|ing)?| use| param\w*)?\b[^.]{0,60}?(?:not (?:support|enabled|available)|unsupported|requires? --jinja)/i.test(
      message,
    ) ||
    /(?:not support|unsupported|no endpoints found that support)[^.]{0,40}\b(?:tools?|tool use|function[ -]?call)/i.test(message) ||
    /enable-auto-tool-choice/i.test(message)
  )
}

/**
 * Some servers answer with an error when they cannot read the call that their own model wrote. For us it is a broken call: the
 * model is told, and can write it again. Null for any other error.
 */
export function refusedCall(message: string): ModelEvent | null {
  if (!/error parsing tool call|tool call parsing failed|failed to parse (?:tool call|json|function)|tool_use_failed/i.test(message))
    return null
  // Ollama says both; a long one may have been cut in the middle of the text.
  const [, text = '', problem = ''] = /raw='([\s\S]*?)(?:',? err=([\s\S]*))?$/.exec(message) ?? []
  const why = problem === '' && text === '' ? message : problem
  return { type: 'broken-call', name: null, text, problem: `The call could not be read${why === '' ? '' : `: ${why}`}.` }
}

/** Whether a server says that this model cannot look at pictures, or hear: Ollama, llama.cpp, vLLM, DeepSeek, OpenRouter, … */
export function refusesMedia(message: string): boolean {
  return (
    /(?:image|audio) inputs? (?:is |are )?not supported|not support(?:ed)? (?:multimodal|images?|audio|vision)/i.test(message) ||
    /unknown variant [`'"]?(?:image_url|input_audio)|not a (?:vlm|multimodal)|that support (?:image|audio) input/i.test(message) ||
    /unsupported content type.*(?:image|audio)|content must be a string/i.test(message)
  )
}
