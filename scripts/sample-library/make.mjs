// Prints the sample library's PDF files from their HTML sources. Needs Chromium (CHROMIUM, or one on the path), DejaVu, Noto
// Sans CJK, and Python with fonttools (PYTHON, or one on the path).
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = fileURLToPath(new URL('.', import.meta.url))
const target = fileURLToPath(new URL('../../resources/sample-library/', import.meta.url))
const sources = {
  'lease.html': '房屋租赁合同.pdf',
  'coffee-machine.html': 'Crema One manual.pdf',
  'paper.html': 'A bell at three.pdf',
}

const work = mkdtempSync(join(tmpdir(), 'siku-print-'))
try {
  for (const [source, name] of Object.entries(sources)) {
    const html = readFileSync(join(here, source), 'utf8')
    let fontFace = ''
    if (html.includes('Siku Sample')) {
      execFileSync(process.env['PYTHON'] ?? 'python3', [join(here, 'subset-font.py'), join(here, source), join(work, 'font.ttf')], { stdio: 'inherit' })
      fontFace = `<style>@font-face { font-family: 'Siku Sample'; src: url('file://${join(work, 'font.ttf')}'); }</style>`
    }
    writeFileSync(join(work, source), html.replace('<style>', `${fontFace}<style>`))
    const options = ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-sync']
    const file = join(target, name)
    execFileSync(
      process.env['CHROMIUM'] ?? 'chromium',
      [...options, `--user-data-dir=${join(work, 'profile')}`, '--no-pdf-header-footer', `--print-to-pdf=${file}`, `file://${join(work, source)}`],
      { stdio: 'pipe' },
    )
    console.log(name, statSync(file).size)
  }
} finally {
  rmSync(work, { recursive: true, force: true })
}
