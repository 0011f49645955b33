/// <reference lib="dom" />
import { createReadStream, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { PDFDocument, StandardFonts } from 'pdf-lib'
import type * as PdfJs from 'pdfjs-dist'
import { chromium, type BrowserContext, type Page } from 'playwright-core'
import { chromiumFlags, chromiumPath } from '../test/fakes/chromium.ts'
import { median, startHost } from './hosts.ts'

const pages = 300
const citedPage = 150
const question = 'At what temperature does the seventh kiln hold its glaze?'

interface Round {
  /** From the click to the page with its mark, the first time and again in the same window. */
  siku: { firstMs: number; againMs: number }
  /** Opening the file and drawing that page, as large and as sharp, with nothing else. */
  bare: { firstMs: number; againMs: number }
  load: number
}

export interface ReaderBench {
  pages: number
  bytes: number
  rounds: Round[]
  first: { sikuMs: number; bareMs: number; ratio: number }
  again: { sikuMs: number; bareMs: number; ratio: number }
}

async function makePdf(path: string): Promise<void> {
  const pdf = await PDFDocument.create()
  const font = await pdf.embedFont(StandardFonts.TimesRoman)
  for (let number = 1; number <= pages; number += 1) {
    const page = pdf.addPage([595, 842])
    const lines = Array.from(
      { length: 44 },
      (_, line) => `Page ${number}, line ${line + 1}: the record of the workshop, its clay, its water and its fire, day by day.`,
    )
    if (number === citedPage) lines[20] = 'The seventh kiln holds its glaze at a temperature of 1,184 degrees and not above.'
    lines.forEach((line, index) => page.drawText(line, { x: 56, y: 780 - index * 16, size: 11, font }))
  }
  writeFileSync(path, await pdf.save())
}

const barePage = `<!doctype html><meta charset="utf-8"><body style="margin:0"><canvas></canvas>`

/** The bare library: a page, pdf.js and the file, with ranges, and nothing else. */
async function serveBare(pdf: string): Promise<{ url: string; server: Server }> {
  const library = join(process.cwd(), 'node_modules', 'pdfjs-dist')
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://127.0.0.1').pathname
    if (path === '/') return void response.writeHead(200, { 'content-type': 'text/html' }).end(barePage)
    const file = path === '/file.pdf' ? pdf : join(library, path)
    if (path !== '/file.pdf' && !(file.startsWith(library) && existsSync(file))) return void response.writeHead(404).end()
    const { size } = statSync(file)
    const type = path.endsWith('.mjs') ? 'text/javascript' : 'application/octet-stream'
    const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '')
    const [start, end] = range === null ? [0, size - 1] : [Number(range[1]), range[2] === '' ? size - 1 : Number(range[2])]
    const head = { 'content-type': type, 'accept-ranges': 'bytes', 'content-length': end - start + 1 }
    response.writeHead(range === null ? 200 : 206, range === null ? head : { ...head, 'content-range': `bytes ${start}-${end}/${size}` })
    createReadStream(file, { start, end }).pipe(response)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, server }
}

async function bareMs(page: Page, width: number): Promise<number> {
  return page.evaluate(
    async ({ number, cssWidth }) => {
      const begun = performance.now()
      const at = (path: string) => new URL(path, document.baseURI).href
      const library = (await import(at('legacy/build/pdf.mjs'))) as typeof PdfJs
      library.GlobalWorkerOptions.workerSrc = at('legacy/build/pdf.worker.min.mjs')
      const task = library.getDocument({
        url: at('file.pdf'),
        cMapUrl: at('cmaps/'),
        standardFontDataUrl: at('standard_fonts/'),
        disableAutoFetch: true,
      })
      const pdf = await task.promise
      const page = await pdf.getPage(number)
      const viewport = page.getViewport({ scale: cssWidth / page.getViewport({ scale: 1 }).width })
      const sharp = Math.min(3, Math.max(1.5, devicePixelRatio))
      const canvas = document.querySelector('canvas')
      if (canvas === null) throw new Error('no canvas')
      canvas.width = Math.floor(viewport.width * sharp)
      canvas.height = Math.floor(viewport.height * sharp)
      canvas.style.width = `${viewport.width}px`
      await page.render({ canvas, viewport, transform: [sharp, 0, 0, sharp, 0, 0] }).promise
      await new Promise((done) => requestAnimationFrame(done))
      const took = performance.now() - begun
      await task.destroy()
      return took
    },
    { number: citedPage, cssWidth: width },
  )
}

/** The click is a real one; the time runs from its event to the frame after the mark stands on the drawn page. */
async function sikuMs(page: Page): Promise<number> {
  await page.evaluate((number) => {
    const marked = new Promise<number>((done) => {
      document.addEventListener(
        'click',
        () => {
          const begun = performance.now()
          const look = () => {
            const cited = document.querySelector(`.pdf-page[data-page="${number}"]:has(canvas)`)
            if ((cited?.querySelector('.pdf-quote') ?? null) === null) requestAnimationFrame(look)
            else requestAnimationFrame(() => done(performance.now() - begun))
          }
          look()
        },
        { capture: true, once: true },
      )
    })
    Object.assign(window, { marked })
  }, citedPage)
  await page.locator('[data-answer] button.chip').first().click()
  return page.evaluate(() => (window as unknown as { marked: Promise<number> }).marked)
}

async function sikuRound(context: BrowserContext, chat: string): Promise<{ firstMs: number; againMs: number; width: number }> {
  const page = await context.newPage()
  await page.goto(chat)
  await page.waitForSelector('[data-answer] button.chip')
  // What the window fetches when it has nothing to do is there.
  await page.waitForTimeout(4000)
  const firstMs = await sikuMs(page)
  const width = Math.round((await page.locator(`.pdf-page[data-page="${citedPage}"]`).boundingBox())?.width ?? 400)
  await page.keyboard.press('Escape')
  await page.waitForSelector('.pdf-page', { state: 'detached' })
  await page.waitForTimeout(500)
  const againMs = await sikuMs(page)
  await page.close()
  return { firstMs, againMs, width }
}

async function bareRound(context: BrowserContext, url: string, width: number): Promise<{ firstMs: number; againMs: number }> {
  const page = await context.newPage()
  await page.goto(url)
  await page.waitForTimeout(1000)
  const firstMs = await bareMs(page, width)
  await page.waitForTimeout(500)
  const againMs = await bareMs(page, width)
  await page.close()
  return { firstMs, againMs }
}

/** Words find the document once it is read: what would still be worked on beside the measuring is put off. */
async function addAndPause(page: Page, folder: string): Promise<void> {
  await page.click('nav a[href="#/library"]')
  await page.click('main button:has-text("Add a folder")')
  await page.fill('dialog input', folder)
  await page.press('dialog input', 'Enter')
  await page.waitForSelector('[data-row]:has-text("workshop.pdf"):has-text("Ready")', { timeout: 300_000 })
  const pause = page.locator('main button:has-text("Pause")').first()
  if ((await pause.count()) > 0) await pause.click()
  await page.click('nav a[href="#/ask"]')
}

/** From the click on a citation to its highlighted page, by turns with a bare drawing of that page. Null: there is no Chromium. */
export async function benchReader({ rounds = 7 } = {}): Promise<ReaderBench | null> {
  if (chromiumPath === null) return null
  const directory = mkdtempSync(join(tmpdir(), 'siku-bench-'))
  const [folder, home] = [join(directory, 'papers'), join(directory, 'home')]
  mkdirSync(folder)
  const file = join(folder, 'workshop.pdf')
  await makePdf(file)
  const bare = await serveBare(file)
  const host = await startHost(home)
  const browser = await chromium.launch({ executablePath: chromiumPath, args: chromiumFlags })
  try {
    const context = await browser.newContext({ viewport: { width: 1280, height: 840 }, locale: 'en-GB' })
    const page = await context.newPage()
    await page.goto(host.address)
    await addAndPause(page, folder)
    await page.fill('#composer', question)
    await page.press('#composer', 'Enter')
    await page.waitForSelector('article[aria-busy=false] [data-answer] button.chip')
    const chat = page.url()
    await page.close()
    const measured: Round[] = []
    for (let round = 0; round < rounds; round += 1) {
      const siku = await sikuRound(context, chat)
      const plain = await bareRound(context, bare.url, siku.width)
      measured.push({ siku: { firstMs: siku.firstMs, againMs: siku.againMs }, bare: plain, load: loadavg()[0] ?? 0 })
    }
    const compared = (which: 'firstMs' | 'againMs') => {
      const [ours, theirs] = [median(measured.map(({ siku }) => siku[which])), median(measured.map((round) => round.bare[which]))]
      return { sikuMs: ours, bareMs: theirs, ratio: ours / theirs }
    }
    return { pages, bytes: statSync(file).size, rounds: measured, first: compared('firstMs'), again: compared('againMs') }
  } finally {
    await browser.close()
    await host.close()
    bare.server.close()
    rmSync(directory, { recursive: true, force: true, maxRetries: 5 })
  }
}
