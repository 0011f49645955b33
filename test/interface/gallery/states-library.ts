import { goTo } from '../browser.ts'
import { screen, state, type GalleryState, type Stage } from './stage.ts'

const own = { options: { scenario: 'own' as const } }

async function listed({ page }: Stage): Promise<void> {
  await goTo(page, 'library')
  await page.waitForSelector('[data-row="0"]')
}

async function folderMenu(stage: Stage): Promise<void> {
  await listed(stage)
  await stage.page.click(`button[aria-label="${stage.say('library.folderMenu', { name: '资料' })}"]`)
  await stage.page.waitForSelector('[role=menu]')
}

async function search(stage: Stage, words: string): Promise<void> {
  await listed(stage)
  await stage.page.fill('header input[type=search]', words)
}

export const libraryStates: GalleryState[] = [
  state('library-empty', 'empty', ['Nothing in it', '空文库'], screen('library'), { options: { scenario: 'empty' }, sample: true }),
  state('library-sample', 'full', ['The sample library', '示例文库'], listed),
  state(
    'library-own',
    'full',
    ['20,000 documents, with their picture', '两万份文档与图示'],
    async (stage) => {
      await listed(stage)
      await stage.page.waitForSelector('.picture-row')
    },
    { ...own, narrow: true, sample: true },
  ),
  state('library-busy', 'busy', ['Being read', '正在读取'], listed, {
    options: { scenario: 'busy', still: true },
    narrow: true,
    sample: true,
  }),
  state(
    'library-broken',
    'broken',
    ['The store is damaged', '存储已损坏'],
    async (stage) => {
      await goTo(stage.page, 'library')
      await stage.page.waitForSelector('main button >> nth=1')
    },
    { options: { scenario: 'broken' } },
  ),
  state(
    'library-failed',
    'broken',
    ['Documents that could not be read', '未能读取的文档'],
    async (stage) => {
      await listed(stage)
      await stage.page.click(`button.pill:has-text("${stage.say('library.anyStatus')}")`)
      await stage.page.click(`[role=menuitemcheckbox]:has-text("${stage.say('library.status.failed')}")`)
      await stage.page.keyboard.press('Escape')
      await stage.page.locator('[data-row="0"]').scrollIntoViewIfNeeded()
      await stage.page.waitForTimeout(500)
    },
    own,
  ),
  state(
    'library-drawer',
    'broken',
    ['A document that failed, with its remedy', '失败的文档与补救办法'],
    async (stage) => {
      await listed(stage)
      await stage.page.click(`button.pill:has-text("${stage.say('library.anyStatus')}")`)
      await stage.page.click(`[role=menuitemcheckbox]:has-text("${stage.say('library.status.failed')}")`)
      await stage.page.keyboard.press('Escape')
      await stage.page.waitForTimeout(500)
      await stage.page.click('[data-row="0"]')
      await stage.page.waitForSelector('aside h2')
      await stage.page.click('#reader-tab-read')
      await stage.page.waitForTimeout(400)
    },
    { ...own, complaints: /404|Failed to load/ },
  ),
  state(
    'library-search',
    'full',
    ['Passages that words find', '按字词找到的段落'],
    async (stage) => {
      await search(stage, stage.pick('price', '图书角'))
      await stage.page.waitForSelector('main section li mark')
    },
    { sample: true },
  ),
  state('library-search-none', 'empty', ['No passage found', '没有找到段落'], async (stage) => {
    await search(stage, 'zzzz')
    await stage.page.waitForSelector(`main :text("${stage.say('library.nothingFound')}")`)
  }),
  state('library-menu', 'full', ['What can be done with a folder', '对文件夹的操作'], folderMenu, own),
  state(
    'library-rules',
    'full',
    ['What is left out of a folder', '文件夹的排除规则'],
    async (stage) => {
      await folderMenu(stage)
      await stage.page.click('[role=menuitem] >> nth=2')
      await stage.page.waitForSelector('dialog textarea')
    },
    { options: { scenario: 'own', settings: { ignoreRules: ['*.tmp'] } } },
  ),
  state('library-add', 'full', ['Adding a folder by its path', '按路径添加文件夹'], async (stage) => {
    await goTo(stage.page, 'library')
    await stage.page.click('header button.button')
    await stage.page.waitForTimeout(300)
    if ((await stage.page.locator('[role=menuitem]').count()) > 0) await stage.page.click('[role=menuitem] >> nth=-1')
    await stage.page.waitForSelector('dialog li, [role=menu]')
  }),
]

export const modelStates: GalleryState[] = [
  state(
    'models-good',
    'full',
    ['Models of this computer', '本机的模型'],
    async (stage) => {
      await goTo(stage.page, 'models')
      await stage.page.waitForSelector('main li')
    },
    { narrow: true, sample: true },
  ),
  ...(['not-installed', 'stopped', 'no-model', 'small'] as const).map((engine) =>
    state(
      `models-${engine}`,
      engine === 'small' ? 'full' : 'empty',
      {
        'not-installed': ['Ollama is not installed', '没有安装 Ollama'] as [string, string],
        stopped: ['Ollama is not running', 'Ollama 没有运行'] as [string, string],
        'no-model': ['Ollama has no model', 'Ollama 没有模型'] as [string, string],
        small: ['A better model fits', '可以用更好的模型'] as [string, string],
      }[engine],
      async (stage) => {
        await goTo(stage.page, 'models')
        await stage.page.waitForSelector('main .button-primary, main .button:has(svg) >> nth=2')
        await stage.page.waitForTimeout(400)
      },
      { options: { engine } },
    ),
  ),
  state(
    'models-pulling',
    'busy',
    ['A model is fetched', '正在下载模型'],
    async (stage) => {
      await goTo(stage.page, 'models')
      await stage.page.fill(`input[aria-label="${stage.say('models.pullName')}"]`, 'qwen3:8b')
      await stage.page.press(`input[aria-label="${stage.say('models.pullName')}"]`, 'Enter')
      await stage.page.waitForSelector('main [role=progressbar]')
      await stage.page.waitForTimeout(600)
    },
    { options: { still: true } },
  ),
  state('models-broken', 'broken', ['Providers that do not answer', '没有应答的提供方'], screen('models'), {
    options: { scenario: 'broken' },
    sample: true,
  }),
  state('models-old', 'busy', ['An old Ollama', '旧版 Ollama'], screen('models'), {
    options: { scenario: 'busy', still: true, documents: 400 },
  }),
  state('models-provider', 'full', ['Adding a provider', '添加提供方'], async (stage) => {
    await goTo(stage.page, 'models')
    await stage.page.click('main header button >> nth=1')
    await stage.page.click('dialog .pill >> nth=0')
  }),
  state('models-test-failing', 'broken', ['A provider’s test fails', '测试提供方失败'], async (stage) => {
    await goTo(stage.page, 'models')
    await stage.page.click('main header button >> nth=1')
    await stage.page.fill('dialog input >> nth=-3', stage.pick('My server', '我的服务器'))
    await stage.page.fill('dialog input[maxlength="2000"]', 'https://bad.example.com/v1')
    await stage.page.click(`dialog button:has-text("${stage.say('models.test')}")`)
    await stage.page.waitForSelector('dialog .dot[data-tone=bad]')
    await stage.page.locator('dialog .dot[data-tone=bad]').scrollIntoViewIfNeeded()
  }),
  state('models-remove', 'full', ['Removing a model asks once', '删除模型前询问'], async (stage) => {
    await goTo(stage.page, 'models')
    await stage.page.click(`button[aria-label="${stage.say('models.more', { model: 'llama3.2:3b' })}"]`)
    await stage.page.click('[role=menuitem] >> nth=-1')
    await stage.page.waitForSelector('dialog')
  }),
]
