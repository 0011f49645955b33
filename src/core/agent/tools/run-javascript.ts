import { z } from 'zod'
import { createSandbox, type SandboxLimits, type SandboxResult } from '../sandbox.ts'
import { defineTool, type Tool, type ToolOutput } from '../tool.ts'
import type { ToolParts } from './tools.ts'

const defaultLimits: SandboxLimits = { timeoutMs: 5000, memoryBytes: 64 * 1024 * 1024, maxCharacters: 10_000 }
const longestCode = 50_000

const schema = z.object({
  code: z.string().min(1).max(longestCode).describe('the JavaScript; its last expression is the result, console.log prints'),
})

export function createRunJavascript({ deps }: Pick<ToolParts, 'deps'>, limits: SandboxLimits = defaultLimits): Tool {
  const sandbox = createSandbox(deps, limits)
  return defineTool({
    name: 'run_javascript',
    description:
      'Runs JavaScript in a sandbox and gives its last value and what it prints. For work that calculate cannot do: loops, text processing, dates, lists. No network, no files, no require or import, no timers; nothing is kept between calls.',
    schema,
    suits:
      /\b(?:javascript|js|code|script|program|run|execute|simulat\w*|loop|sort|regex|regular expression|random|prime|fibonacci|shuffle|permut\w*|algorithm)\b|代码|程序|脚本|运行|执行|模拟|排序|循环|正则|随机|素数|质数|斐波那契|算法/iu,
    access: 'run',
    aliases: ['javascript', 'execute_javascript', 'code_interpreter'],
    limits: { timeoutMs: limits.timeoutMs + 5000, maxCharacters: 2 * limits.maxCharacters + 500 },
    line: ({ code }, language) => `${language === 'zh' ? '在沙盒中运行' : 'Run in the sandbox'}: ${code}`,
    run: async ({ code }, { signal }) => toOutput(await sandbox.run(code, signal), limits.timeoutMs),
    close: () => sandbox.close(),
  })
}

function toOutput({ outcome, text, printed, printedCut }: SandboxResult, timeoutMs: number): ToolOutput {
  const output = printed === '' ? [] : [`Printed:\n${printed}${printedCut ? '\n(more was printed; print less)' : ''}`]
  switch (outcome) {
    case 'value':
      return {
        text: [...output, text === '' ? (printed === '' ? 'It ran and gave no value.' : '') : `Value: ${text}`].filter(Boolean).join('\n'),
      }
    case 'error':
      return { failed: true, text: [...output, `It failed: ${text}`].join('\n') }
    case 'timeout':
      return {
        failed: true,
        text: [...output, `It was stopped: ${text === '' ? `it ran longer than ${timeoutMs / 1000} s` : text}.`].join('\n'),
      }
    case 'memory':
      return { failed: true, text: [...output, `It was stopped: it needs too much memory${text === '' ? '' : ` (${text})`}.`].join('\n') }
  }
}
