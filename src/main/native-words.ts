/** The few words that the system shows for us: menu, dialogs. */
const english = {
  openLink: (host: string) => `Open ${host} in your browser?`,
  open: 'Open',
  cancel: 'Cancel',
  chooseFolders: 'Choose folders',
  add: 'Add',
  cannotStart: 'Siku cannot start',
  edit: 'Edit',
  view: 'View',
  window: 'Window',
}
export type NativeWords = typeof english

const chinese: NativeWords = {
  openLink: (host) => `在浏览器中打开 ${host}？`,
  open: '打开',
  cancel: '取消',
  chooseFolders: '选择文件夹',
  add: '添加',
  cannotStart: '四库无法启动',
  edit: '编辑',
  view: '显示',
  window: '窗口',
}

export function nativeWords(locale: string): NativeWords {
  return /^zh/i.test(locale) ? chinese : english
}
