import { ensureBuilt, ensureInstalled } from './prepare.mjs'

ensureInstalled()
ensureBuilt(['node', 'app'], { force: process.argv.includes('--force') })
