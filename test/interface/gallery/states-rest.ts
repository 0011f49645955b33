import { goTo, section } from '../browser.ts'
import { part, screen, state, type GalleryState } from './stage.ts'

export const memoryStates: GalleryState[] = [
  state(
    'memory-full',
    'full',
    ['What is remembered', '记住的内容'],
    async (stage) => {
      await goTo(stage.page, 'memory')
      await stage.page.waitForSelector('main li')
    },
    { narrow: true, sample: true },
  ),
  state('memory-empty', 'empty', ['Nothing yet', '还没有'], screen('memory'), { options: { scenario: 'empty' } }),
  state('memory-broken', 'broken', ['They cannot be read', '无法读取'], screen('memory'), { options: { scenario: 'broken' } }),
  state('memory-editing', 'busy', ['One is changed', '修改其中一条'], async (stage) => {
    await goTo(stage.page, 'memory')
    await stage.page.click('main li >> nth=1 >> button >> nth=0')
    await stage.page.waitForSelector('main textarea')
  }),
  state('memory-clear', 'full', ['Deleting all asks once', '全部删除前询问'], async (stage) => {
    await goTo(stage.page, 'memory')
    await stage.page.waitForSelector('main li')
    await stage.page.click(`main button:has-text("${stage.say('memory.clear')}")`)
    await stage.page.waitForSelector('dialog')
  }),
]

export const evaluateStates: GalleryState[] = [
  state('evaluate-empty', 'empty', ['What it will be for', '它将用来做什么'], screen('evaluate'), { narrow: true }),
]

export const settingsStates: GalleryState[] = [
  state('settings-top', 'full', ['Language, theme, providers', '语言、主题、提供方'], screen('settings'), { narrow: true, sample: true }),
  state('settings-tools', 'full', ['Tools and what they may do', '工具与权限'], part('tools'), {
    options: { settings: { toolGrants: [{ tool: 'get_weather', site: 'api.open-meteo.com' }] } },
  }),
  state('settings-agent', 'full', ['Limits of the agent', '智能体的限度'], part('agent')),
  state('settings-mcp', 'full', ['MCP servers', 'MCP 服务器'], part('mcp'), { sample: true }),
  state('settings-mcp-empty', 'empty', ['No MCP server', '没有 MCP 服务器'], part('mcp'), { options: { scenario: 'empty' } }),
  state('settings-mcp-broken', 'broken', ['An MCP server that fails', '出错的 MCP 服务器'], part('mcp'), {
    options: { scenario: 'broken' },
  }),
  state('settings-mcp-dialog', 'broken', ['A server is tried, and fails', '测试服务器失败'], async (stage) => {
    await section(stage.page, 'mcp')
    await stage.page.click('#section-mcp > div > button')
    await stage.page.fill('dialog input:not([type=radio]) >> nth=0', 'Echo')
    await stage.page.fill('dialog input:not([type=radio]) >> nth=1', 'bad-program')
    await stage.page.click(`dialog button:has-text("${stage.say('models.test')}")`)
    await stage.page.waitForSelector('dialog :text("ENOENT")')
  }),
  state('settings-reading', 'full', ['Embedding model, what is left out, limits', '嵌入模型、排除规则与限度'], async (stage) => {
    await goTo(stage.page, 'settings')
    await stage.page.waitForSelector('#section-network')
    await stage.page.waitForTimeout(500)
    await stage.page
      .locator('main textarea')
      .first()
      .evaluate((area) => area.scrollIntoView({ block: 'end' }))
  }),
  state('settings-network', 'full', ['Every host contacted', '联系过的主机'], part('network')),
  state('settings-network-off', 'empty', ['Offline, nothing contacted', '离线，没有联系过'], part('network'), {
    options: { scenario: 'empty', settings: { offline: true } },
  }),
  state('settings-health', 'full', ['What the doctor finds', '体检的结果'], part('health'), { options: { scenario: 'own' } }),
  state('settings-health-broken', 'broken', ['The doctor finds damage', '体检发现损坏'], part('health'), {
    options: { scenario: 'broken' },
  }),
  state(
    'settings-backups',
    'busy',
    ['A backup is put back at the next start', '下次启动时恢复备份'],
    async (stage) => {
      await section(stage.page, 'backups')
      await stage.page.click('#section-backups li button')
      await stage.page.click('dialog .button-primary, dialog button >> nth=-1')
      await stage.page.waitForSelector('#section-backups [role=status]')
      await stage.page.waitForTimeout(600)
    },
    { options: { scenario: 'own' } },
  ),
  state('settings-about', 'full', ['Data, licences', '数据与许可'], async (stage) => {
    await goTo(stage.page, 'settings')
    await stage.page.waitForSelector('#section-backups')
    await stage.page.waitForTimeout(600)
    await stage.page.locator('main > div').evaluate((scroller) => scroller.scrollTo(0, scroller.scrollHeight))
  }),
]

export const frameStates: GalleryState[] = [
  state(
    'frame-palette',
    'full',
    ['Everything by name', '按名字找一切'],
    async (stage) => {
      await stage.page.keyboard.press('Control+k')
      await stage.page.fill('input[role=combobox]', stage.pick('m', '会'))
      await stage.page.waitForSelector('[role=option] >> nth=1')
      await stage.page.waitForTimeout(500)
    },
    { sample: true },
  ),
  state('frame-palette-none', 'empty', ['Nothing has this name', '没有这个名字'], async (stage) => {
    await stage.page.keyboard.press('Control+k')
    await stage.page.fill('input[role=combobox]', 'zzzz')
    await stage.page.waitForTimeout(500)
  }),
  state(
    'frame-shortcuts',
    'full',
    ['Every key', '全部快捷键'],
    async (stage) => {
      await stage.page.click('main p >> nth=0')
      await stage.page.keyboard.press('?')
      await stage.page.waitForSelector('dialog h2')
    },
    { narrow: true },
  ),
  state(
    'frame-undo',
    'full',
    ['What was deleted can be brought back', '删除可以撤销'],
    async (stage) => {
      const row = stage.page.locator('aside [role=listitem]:has(a)').nth(1)
      await row.hover()
      await row.locator('button').click()
      await stage.page.click('[role=menuitem] >> nth=-1')
      await stage.page.waitForSelector('section[aria-live] button')
      await stage.page.hover('section[aria-live] li')
    },
    { sample: true },
  ),
  state(
    'frame-lost',
    'broken',
    ['The connection to the core is lost', '与核心的连接断开'],
    async (stage) => {
      await stage.one.host.close()
      await stage.page.waitForSelector('[role=status] p.appear')
    },
    { complaints: /WebSocket|ERR_C|Failed to (load|fetch)/ },
  ),
  state(
    'frame-not-fetched',
    'broken',
    ['A page that could not be fetched', '未能取得的页面'],
    async (stage) => {
      await stage.page.route(/assets\/memory-[^/]*\.js/, (route) => route.abort())
      await stage.page.reload()
      await goTo(stage.page, 'memory')
      await stage.page.waitForSelector('main [role=alert], [role=alert] button')
    },
    { complaints: /Failed to (load|fetch)|ERR_FAILED/ },
  ),
  state('frame-drop', 'busy', ['Files are held over the window', '文件拖到窗口上'], async (stage) => {
    const session = await stage.page.context().newCDPSession(stage.page)
    const data = { items: [], files: ['/etc/hostname'], dragOperationsMask: 1 }
    for (const type of ['dragEnter', 'dragOver'] as const) await session.send('Input.dispatchDragEvent', { type, x: 700, y: 300, data })
    await stage.page.waitForSelector('[data-dragging]')
  }),
]
