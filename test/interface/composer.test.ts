import { describe, expect, test } from 'vitest'
import { unreachable } from './gallery/faults.ts'
import { ask, builtInterface, chromiumPath, goTo, violations } from './browser.ts'

const english = { settings: { language: 'en' as const } }

describe.skipIf(chromiumPath === null)('the composer, the list of chats and the keys', { timeout: 180_000 }, () => {
  const { open, finish } = builtInterface()

  test('an @ chooses folders, documents and tools by keyboard alone', async () => {
    const one = await open(english)
    const { page } = one
    await page.focus('#composer')
    await page.keyboard.type('me@example.org see @Sample')
    await page.waitForSelector('[role=listbox]')
    expect(await page.locator('#composer').getAttribute('aria-controls')).toBe(await page.locator('[role=listbox]').getAttribute('id'))
    await page.keyboard.press('Escape')
    expect(await page.locator('[role=listbox]').count()).toBe(0)
    await page.fill('#composer', '')
    await page.keyboard.type('@manual')
    await page.waitForSelector('[role=option]:has-text("Crema One manual.pdf")')
    expect(await violations(page)).toEqual([])
    // While an input method composes, its keys are its own.
    await page
      .locator('#composer')
      .evaluate((element) => element.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', keyCode: 229, bubbles: true })))
    expect(await page.inputValue('#composer')).toBe('@manual')
    await page.keyboard.press('Enter')
    expect(await page.inputValue('#composer')).toBe('')
    expect(await page.locator('ul[aria-label="Where to look"]').textContent()).toContain('Crema One manual.pdf')
    await page.keyboard.type('@get_wea')
    await page.waitForSelector('[role=option]:has-text("get_weather")')
    await page.keyboard.press('Tab')
    expect(await page.inputValue('#composer')).toBe('get_weather ')
    expect(await page.locator('input[name=composer-mode]:checked').getAttribute('aria-label')).toBe('Agent')
    await page.click('button[aria-label="Do not look only in Crema One manual.pdf"]')
    expect(await page.locator('ul[aria-label="Where to look"]').count()).toBe(0)
    await finish(one)
  })

  test('a draft with its attachment and its scope is there again after a reload, and gone once it is asked', async () => {
    const one = await open(english)
    const { page } = one
    await page.click('form label:has-text("Agent")')
    await page.fill('#composer', 'half of ma')
    await page.locator('form input[type=file]').setInputFiles({ name: 'n.txt', mimeType: 'text/plain', buffer: Buffer.from('note') })
    await page.waitForSelector('form li:has-text("n.txt")')
    await page.fill('#composer', 'half of many')
    await page.click('aside a:has-text("Compare the two")')
    await page.waitForSelector('h1:has-text("Compare the two")')
    await page.fill('#composer', 'in a chat')
    await page.waitForTimeout(1000)
    await page.reload()
    await page.waitForFunction(() => (document.querySelector('#composer') as HTMLTextAreaElement | null)?.value === 'in a chat')
    await page.click('button[aria-label="New chat"]')
    await page.waitForSelector('form li:has-text("n.txt")')
    expect(await page.inputValue('#composer')).toBe('half of many')
    await page.press('#composer', 'Enter')
    await page.waitForSelector('article footer')
    await page.waitForTimeout(1000)
    await page.goto(one.host.url)
    await page.reload()
    await page.waitForSelector('text=Ask your own library')
    await page.waitForTimeout(500)
    expect([await page.inputValue('#composer'), await page.locator('form ul[aria-label=Attachments]').count()]).toEqual(['', 0])
    await finish(one)
  })

  test('a chat is pinned to the head of the list and let go again', async () => {
    const one = await open(english)
    const { page } = one
    const first = () => page.locator('aside [role=listitem]').first().textContent()
    const row = page.locator('aside [role=listitem]', { hasText: '论文里的样本量是多少' })
    await row.hover()
    await row.locator('button').click()
    await page.click('[role=menuitem]:has-text("Pin")')
    await page.waitForSelector('aside h3:has-text("Pinned")')
    expect(await first()).toBe('Pinned')
    expect(await violations(page)).toEqual([])
    await page.reload()
    await page.waitForSelector('aside h3:has-text("Pinned")')
    await row.hover()
    await row.locator('button').click()
    await page.click('[role=menuitem]:has-text("Unpin")')
    await page.waitForSelector('aside h3:has-text("Pinned")', { state: 'detached' })
    await finish(one)
  })

  test('5,000 chats: only those in sight exist, and the last one is reached and found', async () => {
    const one = await open({ ...english, moreChats: 5000 })
    const { page } = one
    await page.waitForSelector('aside a:has-text("Chat 1 of many")')
    expect(await page.locator('aside a').count()).toBeLessThan(80)
    await page.locator('aside > .overflow-y-auto').evaluate((list) => list.scrollTo(0, list.scrollHeight))
    await page.waitForSelector('aside a:has-text("Chat 5000 of many")')
    expect(await page.locator('aside a').count()).toBeLessThan(80)
    await page.fill('aside input[type=search]', '4321')
    await page.waitForSelector('aside a:has-text("Chat 4321 of many")')
    expect(await page.locator('aside a').count()).toBe(1)
    await finish(one)
  })

  test('a long chat opens at its end, makes what comes near, and does not move what is read', async () => {
    const one = await open({ ...english, longChat: 60 })
    const { page } = one
    await page.click('aside a:has-text("A long chat")')
    await page.waitForSelector('article[aria-label="long 60"] footer')
    const made = () => page.locator('article:has(footer)').count()
    expect(await page.locator('article').count()).toBe(60)
    expect(await made()).toBeLessThan(20)
    await page.waitForFunction(() => {
      const scroller = document.querySelector('[data-scroller]')
      return scroller !== null && scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < 60
    })
    // Scrolled up step by step, whatever is in sight is there.
    await page.mouse.move(900, 400)
    for (let step = 0; step < 12; step += 1) {
      await page.mouse.wheel(0, -700)
      await page.waitForTimeout(150)
    }
    await page.waitForFunction(() =>
      [...document.querySelectorAll('article')].every((article) => {
        const { top, bottom } = article.getBoundingClientRect()
        return bottom < 60 || top > window.innerHeight || article.querySelector('footer') !== null
      }),
    )
    await finish(one)
  })

  test('what is said moves nothing, leaves each control within reach and the focus in sight, at any size', async () => {
    for (const size of [
      { width: 1280, height: 840 },
      { width: 900, height: 600 },
      { width: 450, height: 300 },
    ]) {
      const one = await open(english, size)
      const { page } = one
      const places = () =>
        page.evaluate(() =>
          ['nav', 'main', 'aside', 'form', '#composer'].map((each) => {
            const box = document.querySelector(each)?.getBoundingClientRect()
            return box === undefined ? [] : [box.left, box.top, box.right, box.bottom]
          }),
        )
      const before = await places()
      const nameOnly = (found: string[]) => found.map((each) => each.replace(/ at [-\d,]+$/, ''))
      const covered = nameOnly(await unreachable(page))
      const floating = size.width < 820
      if (floating) await page.click('button[aria-label=Chats]')
      const row = page.locator('aside [role=listitem]', { hasText: 'Compare the two insurance offers' })
      await row.hover()
      await row.locator('button').click()
      await page.click('[role=menuitem]:has-text("Delete")')
      await page.waitForSelector('section[aria-label=Messages] button:has-text("Undo")')
      if (floating) await page.click('aside button[aria-label="New chat"]')
      await page.waitForTimeout(300)
      expect(await places()).toEqual(before)
      const hidden = () =>
        page.evaluate(() => {
          const one = document.querySelector('section[aria-label=Messages] ul')?.getBoundingClientRect()
          const other = document.activeElement?.getBoundingClientRect()
          if (one === undefined || other === undefined) return null
          return one.bottom > other.top && one.top < other.bottom && one.right > other.left && one.left < other.right
        })
      await page.focus('#composer')
      expect(await hidden()).toBe(false)
      expect(nameOnly(await unreachable(page)).filter((each) => !covered.includes(each))).toEqual([])
      expect(await violations(page)).toEqual([])
      await page.click('section[aria-label=Messages] button:has-text("Undo")')
      await finish(one)
    }
  })

  test('a ? shows every key; single keys can be switched off; a screen is reached by its number', async () => {
    const one = await open(english)
    const { page } = one
    await page.click('h1')
    await page.keyboard.press('?')
    await page.waitForSelector('dialog h2:has-text("Shortcuts")')
    expect(await violations(page)).toEqual([])
    await page.click('dialog label:has-text("Single keys")')
    await page.keyboard.press('Escape')
    await page.waitForSelector('dialog', { state: 'detached' })
    await page.click('h1')
    await page.keyboard.press('?')
    await page.keyboard.press('Alt+2')
    await page.waitForSelector('nav a[href="#/library"][aria-current="page"]')
    expect(await page.locator('dialog').count()).toBe(0)
    await page.keyboard.press('Control+Shift+O')
    await page.waitForFunction(() => document.activeElement?.id === 'composer')
    await page.keyboard.type('?')
    expect(await page.inputValue('#composer')).toBe('?')
    await page.keyboard.press('Control+k')
    await page.waitForSelector('dialog input[role=combobox]:focus')
    await page.keyboard.type('Shortcuts')
    await page.keyboard.press('Enter')
    await page.waitForSelector('dialog h2:has-text("Shortcuts")')
    await finish(one)
  })

  test('a question is spoken where a speech endpoint is set, and else there is no such button', async () => {
    const none = await open(english)
    await none.page.waitForSelector('#composer')
    expect(await none.page.locator('button[aria-label="Speak the question"]').count()).toBe(0)
    await finish(none)
    const one = await open({ settings: { language: 'en', transcription: { providerId: 'local', model: 'whisper' } } })
    const { page } = one
    // A microphone that hums, as there is none here.
    await page.evaluate(() => {
      navigator.mediaDevices.getUserMedia = () => {
        const context = new AudioContext()
        const hum = context.createOscillator()
        const out = context.createMediaStreamDestination()
        hum.connect(out)
        hum.start()
        return Promise.resolve(out.stream)
      }
    })
    await page.fill('#composer', 'I said:')
    await page.click('button[aria-label="Speak the question"]')
    await page.waitForSelector('button[aria-label="Stop recording"]')
    await page.waitForTimeout(1500)
    await page.click('button[aria-label="Stop recording"]')
    await page.waitForFunction(() => (document.querySelector('#composer') as HTMLTextAreaElement).value.includes('heard audio/webm'))
    await page.evaluate(() => {
      navigator.mediaDevices.getUserMedia = () => Promise.reject(new Error('no'))
    })
    await page.click('button[aria-label="Speak the question"]')
    await page.waitForSelector('text=The microphone cannot be used')
    await finish(one)
  })

  test('an agent that came with a file is marked until it is used or saved', async () => {
    const one = await open(english)
    const { page } = one
    await goTo(page, 'ask')
    await ask(page, 'imported one')
    await page.waitForSelector('article footer')
    await page.reload()
    await page.click('form label:has-text("Agent")')
    await page.click('button[aria-label="Agent: Stranger, imported and not used yet"]')
    await page.click('[role=menuitem]:has-text("Imported, not used yet")')
    await page.waitForSelector('dialog >> text=This agent came with a file and is not used until you save it.')
    expect(await violations(page)).toEqual([])
    await page.click('dialog button:has-text("Use in this chat")')
    await page.waitForSelector('button[aria-label="Agent: Stranger"]')
    await finish(one)
  })

  test('the box grows with its text up to its limit, and a key in a long text measures nothing', async () => {
    const one = await open(english)
    const { page } = one
    const height = async () => (await page.locator('#composer').boundingBox())?.height ?? 0
    const empty = await height()
    await page.fill('#composer', 'one\ntwo\nthree')
    expect(await height()).toBeGreaterThan(empty + 30)
    await page.evaluate(() => {
      const seen = window as unknown as { measured: number }
      seen.measured = 0
      const { get } = Object.getOwnPropertyDescriptor(Element.prototype, 'scrollHeight') ?? {}
      Object.defineProperty(HTMLTextAreaElement.prototype, 'scrollHeight', {
        configurable: true,
        get(this: HTMLTextAreaElement): unknown {
          seen.measured += 1
          return get?.call(this)
        },
      })
    })
    await page.fill('#composer', 'a long text\n'.repeat(1000))
    await page.locator('#composer').pressSequentially('abc')
    expect(await page.evaluate(() => (window as unknown as { measured: number }).measured)).toBe(0)
    expect(await height()).toBeLessThanOrEqual(240)
    await page.fill('#composer', '')
    expect(Math.abs((await height()) - empty)).toBeLessThan(2)
    await finish(one)
  })
})
