import { expect, test } from 'vitest'
import { interfaceFile } from './interface-files.ts'

test('an address leads to a file of the interface or to nothing', () => {
  const paths = [
    '/',
    '/assets/index-1.js',
    '/../secrets.json',
    '/%2e%2e/secrets.json',
    '/..%5csecrets.json',
    '/a%00.js',
    '/%zz.js',
    '/pdfjs/LICENSE',
    '/..js',
  ]
  expect(paths.map((path) => interfaceFile('/built', path)?.path ?? null)).toEqual([
    '/built/index.html',
    '/built/assets/index-1.js',
    null,
    null,
    null,
    null,
    null,
    null,
    '/built/..js',
  ])
})
