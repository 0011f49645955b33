import { ensureInstalled } from './prepare.mjs'

ensureInstalled()
