// `node --import register.mjs out/main/main.js`: the built main, with this folder's `electron` in place of the real one.
import { register } from 'node:module'

register('./hooks.mjs', import.meta.url)
