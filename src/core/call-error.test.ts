import { expect, test } from 'vitest'
import { openAgent } from '../../test/fakes/agent.ts'
import { fromCallError, problemText } from '../contract/errors.ts'

test('an error of the closed list keeps its reason through a call, and so its words in each language', async () => {
  const { client, end } = await openAgent()
  try {
    const json = '{"format":"siku-memories","version":2,"memories":[]}'
    const error: unknown = await client.memory.importJson({ json }).catch((problem: unknown) => problem)
    const told = fromCallError(error).toValue()
    expect(told).toMatchObject({ code: 'bad-input', reason: { code: 'file-newer' } })
    expect(problemText(told, 'zh')?.message).toBe('这个文件由更新版本的四库写成。')
    expect(problemText(told, 'en')?.message).toBe('This file was written by a newer Siku.')
  } finally {
    await end()
  }
})
