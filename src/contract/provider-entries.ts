/** Providers that need no more than a key, or nothing at all: what is known of them is data. All speak OpenAI's language. */
export interface ProviderEntry {
  id: string
  name: string
  /** The base URL, as a provider is saved with. */
  address: string
  /** The page where keys are made; null for a server on this machine, which wants none. */
  keysAt: string | null
  /** Environment variables that hold its key, the first that is set counts; and one for another base URL, and for a model. */
  env: { keys: string[]; address?: string; model?: string }
  /** What its requests carry besides, for an answer without thoughts before it. */
  noThinking?: Record<string, unknown>
  /** Set where a model costs nothing: which, and under what condition. */
  free?: { models: string; condition: string }
}

export const providerEntries: ProviderEntry[] = [
  {
    id: 'openai',
    name: 'OpenAI',
    address: 'https://api.openai.com/v1',
    keysAt: 'https://platform.openai.com/api-keys',
    env: { keys: ['OPENAI_API_KEY'], address: 'OPENAI_BASE_URL', model: 'OPENAI_MODEL' },
  },
  {
    id: 'dashscope',
    name: '阿里云百炼 DashScope (Qwen)',
    address: 'https://dashscope.aliyuncs.com/compatible-mode/v1',
    keysAt: 'https://bailian.console.aliyun.com/?tab=model#/api-key',
    noThinking: { enable_thinking: false },
    env: { keys: ['DASHSCOPE_API_KEY'], address: 'DASHSCOPE_BASE_URL' },
  },
  {
    id: 'zhipu',
    name: '智谱 Zhipu (GLM)',
    address: 'https://open.bigmodel.cn/api/paas/v4',
    keysAt: 'https://open.bigmodel.cn/usercenter/apikeys',
    noThinking: { thinking: { type: 'disabled' } },
    env: { keys: ['ZHIPUAI_API_KEY', 'ZHIPU_API_KEY'], address: 'ZHIPUAI_BASE_URL' },
    free: { models: 'glm-4.5-flash', condition: 'An account is needed; few questions may run at a time.' },
  },
  {
    id: 'deepseek',
    name: 'DeepSeek',
    address: 'https://api.deepseek.com/v1',
    keysAt: 'https://platform.deepseek.com/api_keys',
    noThinking: { thinking: { type: 'disabled' } },
    env: { keys: ['DEEPSEEK_API_KEY'], address: 'DEEPSEEK_BASE_URL' },
  },
  {
    id: 'moonshot',
    name: '月之暗面 Moonshot (Kimi)',
    address: 'https://api.moonshot.cn/v1',
    keysAt: 'https://platform.moonshot.cn/console/api-keys',
    noThinking: { thinking: { type: 'disabled' } },
    env: { keys: ['MOONSHOT_API_KEY'], address: 'MOONSHOT_BASE_URL' },
  },
  {
    id: 'siliconflow',
    name: '硅基流动 SiliconFlow',
    address: 'https://api.siliconflow.cn/v1',
    keysAt: 'https://cloud.siliconflow.cn/account/ak',
    noThinking: { enable_thinking: false },
    env: { keys: ['SILICONFLOW_API_KEY'], address: 'SILICONFLOW_BASE_URL' },
  },
  {
    id: 'openrouter',
    name: 'OpenRouter',
    address: 'https://openrouter.ai/api/v1',
    keysAt: 'https://openrouter.ai/settings/keys',
    noThinking: { reasoning: { enabled: false } },
    env: { keys: ['OPENROUTER_API_KEY'], address: 'OPENROUTER_BASE_URL' },
    free: {
      models: ':free',
      condition: 'Models whose names end in “:free” cost nothing; an account is needed, and a day’s questions are limited.',
    },
  },
  {
    id: 'lm-studio',
    name: 'LM Studio',
    address: 'http://127.0.0.1:1234/v1',
    keysAt: null,
    noThinking: { chat_template_kwargs: { enable_thinking: false } },
    env: { keys: [] },
  },
  {
    id: 'llama-cpp',
    name: 'llama.cpp',
    address: 'http://127.0.0.1:8080/v1',
    keysAt: null,
    noThinking: { chat_template_kwargs: { enable_thinking: false } },
    env: { keys: [] },
  },
  {
    id: 'vllm',
    name: 'vLLM',
    address: 'http://127.0.0.1:8000/v1',
    keysAt: null,
    noThinking: { chat_template_kwargs: { enable_thinking: false } },
    env: { keys: [] },
  },
]
