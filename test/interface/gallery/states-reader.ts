import { askWhole, openFromLibrary, state, type GalleryState, type Stage } from './stage.ts'

const kinds = { options: { kinds: true } }

async function cited({ page }: Stage, source: string): Promise<void> {
  await page.click(`.card:has-text("${source}")`)
}

async function found(stage: Stage, name: string): Promise<void> {
  await openFromLibrary(stage, name)
  await stage.page.waitForTimeout(400)
}

export const readerStates: GalleryState[] = [
  state(
    'reader-pdf',
    'full',
    ['A cited page', '被引用的一页'],
    async (stage) => {
      await askWhole(stage, stage.pick('When is the deposit paid back?', '退租以后押金多少天内退还？'))
      await stage.page.click('[data-answer] button.chip')
      await stage.page.waitForSelector('.pdf-page[data-page="2"] .pdf-mark')
      await stage.page.waitForSelector('.pdf-page[data-page="2"] .pdf-text span', { state: 'attached' })
      await stage.page.waitForTimeout(1000)
    },
    { narrow: true, sample: true },
  ),
  state('reader-find', 'full', ['Small pages, and words found in a PDF', '缩略图，在 PDF 中查找'], async (stage) => {
    await openFromLibrary(stage, 'Crema One manual.pdf')
    await stage.page.waitForSelector('.pdf-page')
    await stage.page.click(`button[aria-label="${stage.say('library.thumbnails')}"]`)
    await stage.page.keyboard.press('Control+f')
    await stage.page.waitForSelector('#reader-find:focus')
    await stage.page.keyboard.type('water')
    await stage.page.waitForSelector('.pdf-now')
    await stage.page.waitForTimeout(1200)
  }),
  state(
    'reader-scan',
    'full',
    ['A scanned page', '扫描的页面'],
    async (stage) => {
      await found(stage, 'scanned letter.pdf')
      await stage.page.waitForSelector('.pdf-page canvas')
      await stage.page.waitForTimeout(800)
    },
    kinds,
  ),
  state('reader-word', 'full', ['A Word document', 'Word 文档'], async (stage) => found(stage, '年度总结.docx'), kinds),
  state('reader-sheet', 'full', ['A spreadsheet', '电子表格'], async (stage) => found(stage, 'Expenses 2026.xlsx'), {
    ...kinds,
    sample: true,
  }),
  state('reader-slides', 'full', ['Slides', '幻灯片'], async (stage) => found(stage, 'Kiosk pitch.pptx'), kinds),
  state('reader-mail', 'full', ['A mail', '邮件'], async (stage) => found(stage, 'Re: the keys.eml'), kinds),
  state(
    'reader-image',
    'full',
    ['A picture', '图片'],
    async (stage) => {
      await found(stage, 'receipt.png')
      await stage.page.waitForSelector('aside img')
    },
    kinds,
  ),
  state(
    'reader-attached',
    'full',
    ['What is attached to a mail', '邮件的附件'],
    async (stage) => {
      await openFromLibrary(stage, 'Re: the keys.eml')
      await stage.page.waitForSelector('aside section li >> nth=1')
    },
    kinds,
  ),
  state(
    'reader-sound',
    'full',
    ['A recording', '录音'],
    async (stage) => {
      await openFromLibrary(stage, 'Meeting of 9 March.wav')
      await stage.page.waitForSelector('aside .section-block >> nth=2')
      await stage.page.waitForFunction(() => (document.querySelector('audio')?.readyState ?? 0) > 0)
    },
    kinds,
  ),
  state('reader-code', 'full', ['Code', '代码'], async (stage) => {
    await openFromLibrary(stage, 'retry-queue.ts')
    await stage.page.waitForSelector('.line-row span[style*="--code-keyword"]')
  }),
  state('reader-changed', 'broken', ['It has changed since it was cited', '被引用之后有改动'], async (stage) => {
    await askWhole(stage, stage.pick('Something that is in nothing here', '这里没有的东西'))
    await cited(stage, 'retry-queue.ts')
    await stage.page.waitForSelector('aside blockquote')
    await stage.page.waitForSelector('.line-row span[style*="--code-keyword"]')
  }),
  state('reader-gone', 'broken', ['It is gone', '文档已不在'], async (stage) => {
    await askWhole(stage, stage.pick('Something that is in nothing here', '这里没有的东西'))
    await stage.page.click('article details summary:has-text("2")')
    await cited(stage, 'Price list 2026.md')
    await stage.page.waitForSelector('aside blockquote')
  }),
  state(
    'reader-sealed',
    'broken',
    ['It needs a password', '需要密码'],
    async (stage) => {
      await openFromLibrary(stage, 'sealed.pdf')
      await stage.page.waitForSelector('aside input[type=password]')
      await stage.page.waitForTimeout(500)
    },
    { ...kinds, complaints: /404|Failed to load/ },
  ),
  state('reader-passages', 'full', ['Its passages', '段落'], async (stage) => {
    await openFromLibrary(stage, 'Price list 2026.md')
    await stage.page.click('#reader-tab-passages')
    await stage.page.waitForTimeout(400)
  }),
  state('reader-read', 'full', ['What was read of it', '读到的内容'], async (stage) => {
    await openFromLibrary(stage, '差旅报销制度.html')
    await stage.page.click('#reader-tab-read')
    await stage.page.waitForTimeout(400)
  }),
  state('reader-selection', 'full', ['Asking about what is selected', '就选中的内容提问'], async (stage) => {
    await openFromLibrary(stage, 'Price list 2026.md')
    await stage.page.waitForSelector('.line-row')
    await stage.page.locator('.line-row').nth(2).locator('> :last-child').click({ clickCount: 3 })
    await stage.page.waitForSelector(`button:has-text("${stage.say('library.askSelection')}")`)
  }),
]
