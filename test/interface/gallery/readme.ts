import { type GalleryState, screens } from './stage.ts'
import { galleryStates } from './states.ts'

const screenNames: Record<GalleryState['screen'], string> = {
  ask: 'Ask · 问答',
  agent: 'Agent · 智能体',
  chats: 'Chats · 对话',
  reader: 'Reader · 阅读器',
  library: 'Library · 文库',
  models: 'Models · 模型',
  memory: 'Memory · 记忆',
  evaluate: 'Evaluate · 评测',
  settings: 'Settings · 设置',
  frame: 'Around every screen · 各屏之外',
}
const conditions: Record<GalleryState['condition'], string> = {
  empty: 'empty · 空',
  busy: 'busy · 忙',
  full: 'full · 满',
  broken: 'broken · 坏',
}

const image = (name: string) => `<img src="${name}.webp" width="400" alt="">`

function rowOf({ name, title, condition, sample, narrow }: GalleryState): string {
  const more = [
    ...(sample === true ? [`${name}-en-dark`, `${name}-zh-light`] : []),
    ...(narrow === true ? [`${name}-narrow-en-dark`, `${name}-narrow-zh-light`] : []),
  ].map((each) => `[${each.slice(name.length + 1).replaceAll('-', ' ')}](${each}.webp)`)
  const words = [`**${title.en}**`, title.zh, conditions[condition], ...more].join('<br>')
  return `| ${words} | ${image(`${name}-en-light`)} | ${image(`${name}-zh-dark`)} |`
}

/** The index of the gallery, in both languages. */
export function galleryReadme(): string {
  const parts = screens.map((screen) => {
    const rows = galleryStates.filter((each) => each.screen === screen).map(rowOf)
    return [`## ${screenNames[screen]}`, '', '| | English, light | 中文，深色 |', '|---|---|---|', ...rows].join('\n')
  })
  return `# Gallery · 界面图集

Every screen in its empty, busy, full and broken state. \`npm run gallery\` takes the pictures anew, \`npm run gallery -- --check\` compares with these; [interface.md](../interface.md#the-gallery) says how. The script writes this page too.

每个界面在空、忙、满、坏四种情形下的样子。\`npm run gallery\` 重新拍摄，\`npm run gallery -- --check\` 与现有图片比较；比较方法见 [interface.md](../interface.md#the-gallery)。本页也由脚本生成。

${parts.join('\n\n')}
`
}
