import { existsSync } from 'node:fs'

const places = [
  process.env['SIKU_CHROMIUM'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** The Chromium of this machine; null where there is none. */
export const chromiumPath = places.find((path): path is string => path !== undefined && path !== '' && existsSync(path)) ?? null

export const chromiumFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Without a locale of UTF-8 a browser hands over no file whose name is not ASCII. */
export const chromiumEnv = { ...process.env, LC_ALL: 'C.UTF-8' }
