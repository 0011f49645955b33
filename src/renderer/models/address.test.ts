import { expect, test } from 'vitest'
import { isAddress } from './address.ts'

test('only what can be reached by http is kept as an address', () => {
  const good = ['http://127.0.0.1:8080/v1', 'https://api.example.com/v1', 'http://[::1]:11434']
  const bad = ['ftp://example.com', 'file:///etc/passwd', 'javascript:alert(1)', 'not a url', 'http://', 'http://a b', 'https://x/?key=1']
  expect([...good, ...bad].filter((each) => isAddress(each, 'openai'))).toEqual(good)
  expect(['localhost:11434', '192.168.0.2', '[::1]:11434', '%%', 'a b', 'ftp://x'].filter((each) => isAddress(each, 'ollama'))).toEqual([
    'localhost:11434',
    '192.168.0.2',
    '[::1]:11434',
  ])
})
