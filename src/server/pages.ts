const style =
  '<style>body{font:16px/1.6 system-ui,sans-serif;max-width:34rem;margin:20vh auto;padding:0 1.5rem;color:#2b2926;background:#faf8f4}@media(prefers-color-scheme:dark){body{color:#e9e4da;background:#1d1b19}}</style>'

/**
 * Sent for the one-time address. It goes on to the interface by itself: a redirect would count as coming from
 * the page that held the link, and the strict cookie would stay behind.
 */
export const enteredPage = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta http-equiv="refresh" content="0;url=/"><title>Siku 四库</title>${style}</head><body><a href="/">Siku 四库</a></body></html>`

export const strangerPage = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Siku 四库</title>${style}</head><body>
<p>This browser was not let in, or the address was used before. The terminal in which Siku runs has just printed a new address.</p>
<p lang="zh">此浏览器尚未获准进入，或该地址已被使用过。运行四库的终端刚刚显示了一个新地址。</p>
</body></html>`
