import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge']
const places = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
]

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** A Chromium of this machine for the tests in a real browser: SIKU_CHROMIUM, else one on the path, else where it usually lies. Null without one. */
export function findChromium(env = process.env) {
  if (env.SIKU_CHROMIUM) return existsSync(env.SIKU_CHROMIUM) ? env.SIKU_CHROMIUM : null
  const onPath = (env.PATH ?? '').split(delimiter).flatMap((directory) => names.map((name) => join(directory, name)))
  return [...onPath, ...places].find(isExecutable) ?? null
}
