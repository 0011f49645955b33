import { z } from 'zod'
import type { ErrorCode } from './errors.ts'

type Sentences = readonly [message: string, hint?: string]
interface Reason {
  code: ErrorCode
  en: Sentences
  zh: Sentences
}

/** Why a call failed, in the words of a person: the closed list. `{name}` stands for what the error says with it. */
const reasons = {
  'mcp-no-program': {
    code: 'not-found',
    en: ['The MCP server “{server}” could not be started: there is no program “{program}”.', 'Install it, or give its whole path.'],
    zh: ['MCP 服务“{server}”无法启动：这台电脑上没有程序“{program}”。', '请安装它，或填写它的完整路径。'],
  },
  'mcp-slow': {
    code: 'timeout',
    en: ['The MCP server “{server}” did not answer in time.'],
    zh: ['MCP 服务“{server}”没有及时回应。'],
  },
  'mcp-ended': {
    code: 'network',
    en: ['The MCP server “{server}” ended before it answered.'],
    zh: ['MCP 服务“{server}”还没有回应就结束了。'],
  },
  'mcp-key': {
    code: 'refused',
    en: ['The MCP server “{server}” does not accept the key ({status}).'],
    zh: ['MCP 服务“{server}”不接受这个密钥（{status}）。'],
  },
  'mcp-session': {
    code: 'network',
    en: ['The MCP server “{server}” no longer knows this session.'],
    zh: ['MCP 服务“{server}”已不认得这次会话。'],
  },
  'mcp-protocol': {
    code: 'network',
    en: ['The MCP server “{server}” failed: its answer is not what the protocol says.'],
    zh: ['MCP 服务“{server}”出错：它的回应不合协议。'],
  },
  'mcp-failed': {
    code: 'network',
    en: ['The MCP server “{server}” failed: {detail}.'],
    zh: ['MCP 服务“{server}”出错：{detail}'],
  },
  'mcp-offline': {
    code: 'offline',
    en: ['Siku is set to stay offline, so the MCP server “{server}” is not used.'],
    zh: ['离线开关已打开，不使用 MCP 服务“{server}”。'],
  },
  'mcp-address': {
    code: 'bad-input',
    en: ['The address of an MCP server begins with http:// or https://.'],
    zh: ['MCP 服务的地址以 http:// 或 https:// 开头。'],
  },
  'mcp-key-in-address': {
    code: 'bad-input',
    en: ['A key does not belong into the address.', 'Put it into the field for the key.'],
    zh: ['地址里不该写密钥。', '请写进密钥一栏。'],
  },
  'mcp-value': {
    code: 'bad-input',
    en: ['The value of “{name}” holds characters that cannot be sent.'],
    zh: ['“{name}”的值里有不能发送的字符。'],
  },
  'mcp-gone': { code: 'not-found', en: ['This MCP server is no longer in the settings.'], zh: ['设置里已没有这个 MCP 服务。'] },
  'mcp-tool-off': { code: 'refused', en: ['The tool “{tool}” is switched off.'], zh: ['工具“{tool}”已关闭。'] },
  'mcp-tool-changed': {
    code: 'conflict',
    en: ['The tool “{tool}” is no longer what was allowed: the server changed it.', 'Look at it in the settings, and allow it again.'],
    zh: ['工具“{tool}”已不是当初允许的样子：服务方改了它。', '请在设置里查看，再重新允许。'],
  },
  'mcp-tool-otherwise': {
    code: 'conflict',
    en: ['The server offers “{tool}” otherwise than it was shown.', 'Look at it again.'],
    zh: ['服务现在给出的“{tool}”与刚才显示的不同。', '请再看一遍。'],
  },
  'mcp-endless': {
    code: 'conflict',
    en: [
      '“{tool}” cannot be switched on: the server’s list of tools has no end, and is another one each time.',
      'Whoever made the server can mend that.',
    ],
    zh: ['无法打开“{tool}”：这个服务的工具列表没有尽头，而且每次都不同。', '这要由服务的作者来改。'],
  },
  'answer-broke-off': {
    code: 'model-call',
    en: [
      'The model’s answer broke off.',
      'Ask again. If it happens often, the model’s server was ended or ran out of memory: its log says so.',
    ],
    zh: ['模型的回答中断了。', '请再问一次。如果常常这样，多半是模型服务被关闭或内存不足，它的日志里有记录。'],
  },
  'answer-late': {
    code: 'timeout',
    en: ['The model did not finish within {seconds} s.'],
    zh: ['模型没有在 {seconds} 秒内答完。'],
  },
  'answer-empty': { code: 'model-call', en: ['The model gave no answer.'], zh: ['模型没有给出回答。'] },
  'answer-unended': { code: 'model-call', en: ['The model’s answer ended without an end.'], zh: ['模型的回答没有正常结束。'] },
  'answer-no-call': {
    code: 'model-call',
    en: ['The model was to call {tool} and did not.', 'Try again, or choose a model that is better with tools.'],
    zh: ['模型本该调用工具，却没有调用。', '请再试一次，或换用更擅长使用工具的模型。'],
  },
  'media-unfit': {
    code: 'model-config',
    en: ['{message}', 'Choose a model that can look at pictures, or hear.'],
    zh: ['这个模型看不了图片，或听不了录音。', '请换用能看图或能听音的模型。'],
  },
  'no-ollama': {
    code: 'model-config',
    en: ['No chat model has been chosen, and there is no Ollama to choose one from.', 'Choose a model in Models.'],
    zh: ['还没有选择对话模型，也没有可供选择的 Ollama。', '请在“模型”里选一个。'],
  },
  'no-chat-model': {
    code: 'model-config',
    en: ['{names} answers, but has no chat model installed.', 'Get one with: siku pull qwen3:4b. Or choose a model in Models.'],
    zh: ['{names} 有回应，但没有安装对话模型。', '可运行 siku pull qwen3:4b 下载，或在“模型”里选一个。'],
  },
  'provider-unknown': {
    code: 'model-config',
    en: ['The provider “{provider}” is not set up.', 'Choose a model in Models.'],
    zh: ['服务方“{provider}”还没有设置。', '请在“模型”里选择模型。'],
  },
  'ollama-only': {
    code: 'unsupported',
    en: ['{provider} cannot do this: only Ollama can.'],
    zh: ['{provider} 做不到，只有 Ollama 可以。'],
  },
  'not-this-computer': {
    code: 'unsupported',
    en: ['{provider} does not run on this computer.'],
    zh: ['{provider} 不在这台电脑上运行。'],
  },
  'pull-offline': {
    code: 'offline',
    en: ['Siku is set to stay offline, so no model is fetched.', 'Turn the offline switch off in Settings.'],
    zh: ['离线开关已打开，不下载模型。', '可在设置中关闭离线开关。'],
  },
  'pull-stopped': {
    code: 'model-call',
    en: ['Ollama stopped fetching {model} before it was complete.', 'Try again: what is already there is not fetched twice.'],
    zh: ['Ollama 没有下完 {model} 就停了。', '请再试一次：已下载的部分不会重复下载。'],
  },
  'pull-unknown': {
    code: 'model-call',
    en: ['There is no model {model} that Ollama can fetch.', 'Check its name and tag at ollama.com/library.'],
    zh: ['Ollama 找不到可下载的模型 {model}。', '请在 ollama.com/library 核对名称和标签。'],
  },
  'pull-disk': {
    code: 'model-call',
    en: [
      'The disk on which Ollama keeps its models is full: {model} was not fetched whole.',
      'Make room there, or remove a model, and try again: what is already there is not fetched twice.',
    ],
    zh: ['Ollama 存放模型的磁盘已满，{model} 没有下完。', '请腾出空间或删除一个模型，再试一次：已下载的部分不会重复下载。'],
  },
  'pull-old': {
    code: 'model-call',
    en: ['{model} needs a newer Ollama.', 'Update Ollama from ollama.com, then try again.'],
    zh: ['{model} 需要更新版本的 Ollama。', '请从 ollama.com 升级 Ollama，再试一次。'],
  },
  'pull-network': {
    code: 'model-call',
    en: [
      'Ollama could not reach the place that it fetches {model} from ({detail}).',
      'Check the connection of the machine that Ollama runs on, and try again: what is already there is not fetched twice.',
    ],
    zh: ['Ollama 连不上 {model} 的下载来源（{detail}）。', '请检查 Ollama 所在机器的网络，再试一次：已下载的部分不会重复下载。'],
  },
  'pull-failed': {
    code: 'model-call',
    en: ['Ollama could not fetch {model}: {detail}', 'Try again: what is already there is not fetched twice. Ollama’s log says more.'],
    zh: ['Ollama 没能下载 {model}：{detail}', '请再试一次：已下载的部分不会重复下载。Ollama 的日志里有更多说明。'],
  },
  'remote-offline': {
    code: 'offline',
    en: ['{model} runs on somebody else’s machine, and Siku is set to stay offline.', 'Choose a local model.'],
    zh: ['{model} 在别人的机器上运行，而离线开关已打开。', '请选择本机的模型。'],
  },
  'not-contacted': {
    code: 'model-unreachable',
    en: ['Siku has not contacted it, because nobody asked for it yet.', 'Choose one of its models, or test it.'],
    zh: ['还没有人用到它，所以四库没有联系过它。', '请选用它的一个模型，或测试一下。'],
  },
  'ollama-refused': {
    code: 'model-unreachable',
    en: ['Ollama does not answer at {where}: the connection was refused.', 'Start Ollama (ollama serve), or install it from ollama.com.'],
    zh: ['{where} 上的 Ollama 没有回应：连接被拒绝。', '请启动 Ollama（ollama serve），或从 ollama.com 安装。'],
  },
  'ollama-refused-there': {
    code: 'model-unreachable',
    en: ['Ollama does not answer at {where}: the connection was refused.', 'Check the address, and that the other machine lets you in.'],
    zh: ['{where} 上的 Ollama 没有回应：连接被拒绝。', '请检查地址，并确认那台机器允许访问。'],
  },
  'ollama-silent': {
    code: 'model-unreachable',
    en: ['Ollama does not answer at {where}. {detail}', 'Start Ollama (ollama serve), or install it from ollama.com.'],
    zh: ['{where} 上的 Ollama 没有回应。', '请启动 Ollama（ollama serve），或从 ollama.com 安装。'],
  },
  'ollama-silent-there': {
    code: 'model-unreachable',
    en: ['Ollama does not answer at {where}. {detail}', 'Check the address, and that the other machine lets you in.'],
    zh: ['{where} 上的 Ollama 没有回应。', '请检查地址，并确认那台机器允许访问。'],
  },
  'not-ollama': {
    code: 'model-call',
    en: ['What answers at {address} does not speak Ollama’s language ({path}).', 'Check the address: another program may use this port.'],
    zh: ['{address} 上回应的不是 Ollama（{path}）。', '请检查地址：这个端口可能被别的程序占用。'],
  },
  'address-secret': {
    code: 'model-config',
    en: ['The address of an Ollama server must not carry a name or a password.', 'Write a host and a port, such as 127.0.0.1:11434.'],
    zh: ['Ollama 的地址里不能写用户名或密码。', '请写主机和端口，例如 127.0.0.1:11434。'],
  },
  'address-wrong': {
    code: 'model-config',
    en: ['“{address}” is not an address of an Ollama server.', 'Write a host and a port, such as 127.0.0.1:11434.'],
    zh: ['“{address}”不是 Ollama 服务的地址。', '请写主机和端口，例如 127.0.0.1:11434。'],
  },
  'no-hearing': {
    code: 'model-config',
    en: [
      'Nothing is set up that turns sound into text.',
      'Choose a transcription model in Models: any OpenAI-compatible server with /audio/transcriptions, such as whisper.cpp on this machine.',
    ],
    zh: [
      '还没有设置能把声音转成文字的服务。',
      '请在“模型”里选择转写模型：任何提供 /audio/transcriptions 的 OpenAI 兼容服务都可以，例如本机的 whisper.cpp。',
    ],
  },
  closing: { code: 'busy', en: ['Siku is closing.'], zh: ['四库正在关闭。'] },
  'memory-gone': { code: 'not-found', en: ['This memory is no longer there.'], zh: ['这条记忆已不在了。'] },
  'memory-off': {
    code: 'refused',
    en: ['Memories are switched off.', 'They can be switched on in Settings.'],
    zh: ['记忆已关闭。', '可在设置中打开。'],
  },
  'memory-same': { code: 'conflict', en: ['There is a memory that says this already.'], zh: ['已有一条同样内容的记忆。'] },
  'memory-empty': { code: 'bad-input', en: ['A memory needs some words.'], zh: ['记忆里要有文字。'] },
  'memory-long': {
    code: 'bad-input',
    en: ['A memory has at most {most} characters; this one has {count}.', 'Keep one small fact, or several memories.'],
    zh: ['一条记忆最多 {most} 个字符，这条有 {count} 个。', '请只记一件小事，或分成几条。'],
  },
  'memory-not-json': {
    code: 'bad-input',
    en: ['This is no file of memories: it is not JSON, or it is cut off.'],
    zh: ['这不是记忆文件：内容不是 JSON，或不完整。'],
  },
  'memory-form': {
    code: 'bad-input',
    en: ['This is no file of memories that Siku can read: {detail}.'],
    zh: ['四库读不懂这个记忆文件：它的格式不对。'],
  },
  'file-newer': {
    code: 'bad-input',
    en: ['This file was written by a newer Siku.', 'Update Siku to read it.'],
    zh: ['这个文件由更新版本的四库写成。', '请升级四库后再导入。'],
  },
  'memory-many': {
    code: 'bad-input',
    en: ['The file has {count} memories; at most {most} can be brought in.'],
    zh: ['文件里有 {count} 条记忆，最多能导入 {most} 条。'],
  },
  'memory-time': {
    code: 'bad-input',
    en: ['Memory {number} of the file has a time or count that cannot be.'],
    zh: ['文件里第 {number} 条记忆的时间或次数不可能成立。'],
  },
  'chat-form': {
    code: 'bad-input',
    en: ['This is no chat that Siku can read: {detail}.'],
    zh: ['四库读不懂这个文件：它不是从四库导出的对话，或内容已改动、不完整。'],
  },
  'chat-large': {
    code: 'unsupported',
    en: ['This chat is too large for one file.', 'Export it as Markdown.'],
    zh: ['这个对话太大，放不进一个文件。', '请导出为 Markdown。'],
  },
  'chat-busy': {
    code: 'busy',
    en: ['The question before this one is still being answered.', 'Wait for it, or stop it.'],
    zh: ['上一个问题还在回答。', '请等它答完，或停止它。'],
  },
  'chat-gone': { code: 'not-found', en: ['This chat is no longer there.'], zh: ['这个对话已不在了。'] },
  'answer-gone': { code: 'not-found', en: ['This answer is no longer there.'], zh: ['这个回答已不在了。'] },
  'parent-gone': {
    code: 'not-found',
    en: ['The answer before this question is no longer there.'],
    zh: ['这个问题之前的回答已不在了。'],
  },
  'approval-gone': { code: 'not-found', en: ['Nothing waits for this approval any more.'], zh: ['已没有调用在等待这次批准。'] },
  'approval-other': { code: 'conflict', en: ['This is not the call that was shown.'], zh: ['这不是刚才显示的那次调用。'] },
  'approval-once': {
    code: 'refused',
    en: ['This call can be allowed once, or refused, and nothing else.'],
    zh: ['这次调用只能允许一次，或拒绝。'],
  },
  'notes-link': {
    code: 'refused',
    en: ['The folder for notes is a link to another place.', 'Choose the folder itself in the settings.'],
    zh: ['笔记文件夹是指向别处的链接。', '请在设置里选择那个文件夹本身。'],
  },
  'notes-no-folder': {
    code: 'refused',
    en: ['The place for notes is not a folder.', 'Choose a folder in the settings.'],
    zh: ['放笔记的位置不是文件夹。', '请在设置里选择一个文件夹。'],
  },
  'notes-gone': {
    code: 'not-found',
    en: ['The folder for notes is not there any more.', 'Choose another in the settings.'],
    zh: ['放笔记的文件夹已不在了。', '请在设置里另选一个。'],
  },
} as const satisfies Record<string, Reason>

export type ErrorReasonCode = keyof typeof reasons
type Data = Record<string, string | number>

function isReason(code: unknown): code is ErrorReasonCode {
  return typeof code === 'string' && Object.hasOwn(reasons, code)
}

export const errorReasonSchema = z.object({
  code: z.custom<ErrorReasonCode>(isReason),
  data: z.record(z.string(), z.union([z.string(), z.number()])),
})
export type ErrorReason = z.infer<typeof errorReasonSchema>
export const errorReasonCodes = Object.keys(reasons).filter(isReason)

export function codeOfReason(code: ErrorReasonCode): ErrorCode {
  return reasons[code].code
}

/** What happened, and what to do about it. `said`: what a program said last before it failed, in its own words. */
export function reasonText({ code, data }: ErrorReason, language: 'zh' | 'en'): { message: string; hint?: string } {
  const [message, hint]: Sentences = reasons[code][language]
  const said =
    data['said'] === undefined || data['said'] === ''
      ? ''
      : language === 'zh'
        ? `它最后说：${data['said']}`
        : ` It said last: ${data['said']}`
  return { message: `${filled(message, data)}${said}`, ...(hint === undefined ? {} : { hint: filled(hint, data) }) }
}

function filled(sentence: string, data: Data): string {
  return sentence.replace(/\{(\w+)\}/g, (_all, name: string) => String(data[name] ?? '')).trim()
}
