/**
 * Character accuracy and seconds a page of text recognition, on pages that Chromium draws from the question sets at 200 dpi:
 * in one column, in two, in small print, askew, pale and as a photograph packed hard. A page's text is compared in reading order.
 * `node out/bench/ocr.js [pages] [threads] [layouts whose name has this] [language]`, after `vite build --config vite.node.config.ts --ssr bench/ocr.ts --outDir out/bench`.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { createRecogniser } from '../src/core/ingest/ocr/recogniser.ts'
import { composeRecognised } from '../src/core/ingest/read/recognised-lines.ts'
import { dataDirectory, readSquad } from './question-sets.ts'

/** A4 at 200 dpi. */
const page = { width: 1654, height: 2339 }
const characters = { zh: 1100, en: 2600 } as const
type Language = keyof typeof characters

interface Layout {
  name: string
  css: string
  /** How many times the usual text fits. */
  share: number
  languages?: Language[]
  change?: (picture: Sharp) => Sharp
}

/** 10 points are 28 pixels. */
const layouts: Layout[] = [
  { name: 'one column, 11 pt', css: 'font-size:30px', share: 1 },
  { name: 'two columns, 9 pt', css: 'font-size:25px;columns:2;column-gap:60px;text-align:justify', share: 1.2 },
  { name: 'small print, 7 pt', css: 'font-size:19px', share: 1.8 },
  {
    name: 'words close together',
    css: 'font-size:28px;font-family:"Noto Sans CJK SC";letter-spacing:-1px;word-spacing:-2px',
    share: 1,
    languages: ['en'],
  },
  { name: 'askew by 2°', css: 'font-size:30px;transform:rotate(2deg)', share: 0.8 },
  { name: 'turned by a quarter', css: 'font-size:30px', share: 1, change: (picture) => picture.rotate(90) },
  { name: 'columns from the right', css: 'font-size:30px;writing-mode:vertical-rl;height:2040px', share: 0.8, languages: ['zh'] },
  {
    name: 'pale, packed hard',
    css: 'font-size:30px;color:#777;background:#f4f0e6',
    share: 1,
    change: (picture) => picture.jpeg({ quality: 35 }),
  },
]

const chromium = ['chromium', 'chromium-browser', 'google-chrome'].find((name) => {
  try {
    execFileSync(name, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})

function distance(one: string, other: string): number {
  let before = Int32Array.from({ length: other.length + 1 }, (_none, index) => index)
  for (let i = 1; i <= one.length; i += 1) {
    const next = new Int32Array(other.length + 1)
    next[0] = i
    for (let j = 1; j <= other.length; j += 1) {
      const changed = before[j - 1]! + (one.charCodeAt(i - 1) === other.charCodeAt(j - 1) ? 0 : 1)
      next[j] = Math.min(before[j]! + 1, next[j - 1]! + 1, changed)
    }
    before = next
  }
  return before[other.length]!
}

/** Which width a comma has cannot be seen; which letter it is, can. */
const bare = (text: string): string => text.normalize('NFKC').replace(/\s+/g, '')
const blanked = (text: string): string => text.normalize('NFKC').replace(/\s+/g, ' ').trim()

function paragraphsFrom(all: readonly string[], from: number, length: number): { taken: string[]; next: number } {
  const taken: string[] = []
  let next = from
  for (let sum = 0; sum < length * 0.85 && next < all.length; next += 1) {
    taken.push(all[next]!)
    sum += all[next]!.length
  }
  return { taken, next }
}

async function draw(directory: string, paragraphs: readonly string[], { css, change }: Layout): Promise<Buffer> {
  const [html, png] = [join(directory, 'page.html'), join(directory, 'page.png')]
  const body = paragraphs.map((text) => `<p>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</p>`).join('')
  const style = `body{margin:0;padding:150px 160px;width:1334px;font-family:"Noto Serif CJK SC","DejaVu Serif",serif;line-height:1.55;hyphens:none;${css}}`
  writeFileSync(html, `<meta charset=utf-8><style>html{overflow:hidden}${style}</style>${body}`)
  const flags = ['--headless=new', '--no-sandbox', '--disable-gpu', '--hide-scrollbars', `--window-size=${page.width},${page.height}`]
  execFileSync(chromium!, [...flags, `--screenshot=${png}`, `file://${html}`], { stdio: 'ignore', timeout: 60_000 })
  const picture = sharp(png)
  return change === undefined ? picture.toBuffer() : change(picture).toBuffer()
}

async function main(): Promise<void> {
  const data = dataDirectory()
  if (data === null || chromium === undefined) throw new Error('the question sets and a Chromium are needed')
  const count = Number(process.argv[2] ?? 2)
  const recogniser = await createRecogniser(Number(process.argv[3] ?? 1))
  const directory = mkdtempSync(join(tmpdir(), 'siku-bench-ocr-'))
  try {
    for (const language of (['zh', 'en'] as const).filter((each) => each.includes(process.argv[5] ?? ''))) {
      const { paragraphs } = readSquad(join(data, 'xquad', `xquad.${language}.dev.json`))
      let from = 0
      for (const layout of layouts.filter(
        ({ name, languages }) => name.includes(process.argv[4] ?? '') && (languages ?? [language]).includes(language),
      )) {
        let [wrong, total, ms, cpuMs, lines, blanks, wrongBlanks] = [0, 0, 0, 0, 0, 0, 0]
        for (let number = 0; number < count; number += 1) {
          const { taken, next } = paragraphsFrom(paragraphs, from, characters[language as Language] * layout.share)
          from = next
          const { data: pixels, info } = await sharp(await draw(directory, taken, layout))
            .removeAlpha()
            .raw()
            .toBuffer({ resolveWithObject: true })
          const startedAt = performance.now()
          const used = process.cpuUsage()
          const found = await recogniser.read({ width: info.width, height: info.height, channels: 3, data: pixels }, 1)
          ms += performance.now() - startedAt
          const { user, system } = process.cpuUsage(used)
          cpuMs += (user + system) / 1000
          lines += found.length
          const { text } = composeRecognised(found, { number: 1, width: info.width, height: info.height })
          const wanted = bare(taken.join(''))
          const missed = distance(bare(text), wanted)
          wrong += missed
          const words = blanked(taken.join(' '))
          blanks += words.split(' ').length - 1
          wrongBlanks += distance(blanked(text), words) - missed
          total += wanted.length
          if (process.env['SIKU_BENCH_SHOW'] !== undefined) process.stdout.write(`${text}\n---- ${missed}\n`)
        }
        const accuracy = (100 * (1 - wrong / total)).toFixed(2)
        const words = language === 'en' ? `, ${wrongBlanks} of ${blanks} blanks wrong` : ''
        process.stdout.write(
          `${language}  ${layout.name.padEnd(20)} ${accuracy} %  ${total} characters${words}, ${lines} lines, ${(ms / count / 1000).toFixed(1)} s a page, ${(cpuMs / count / 1000).toFixed(1)} s of processor\n`,
        )
      }
    }
    process.stdout.write(`${Math.round(process.memoryUsage().rss / 1e6)} MB\n`)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

await main()
