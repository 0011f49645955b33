// Draws the seal of 四库 with a Chromium and writes build/icon.{png,ico,icns} and build/icons/. Run by hand when the drawing changes.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { findChromium } from './chromium.mjs'
import { root } from './prepare.mjs'

const sizes = [16, 24, 32, 48, 64, 128, 256, 512, 1024]

/** Small sizes show the one character as a drawing, large ones both as cut into a seal. */
function drawing(size) {
  if (size < 64) {
    return `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 64 64"><rect x="2" y="2" width="60" height="60" rx="10" fill="#b4382b"/><g fill="none" stroke="#fdfaf5" stroke-width="5" stroke-linejoin="round"><rect x="13" y="16" width="38" height="33" rx="1"/><path d="M26 17v9c0 5-2 8-6 11M38 17v13c0 3 2 4 5 4h7"/></g></svg>`
  }
  return `<div style="position:relative;width:1024px;height:1024px;transform:scale(${size / 1024});transform-origin:0 0">
    <div style="position:absolute;inset:64px;background:#b4382b;border-radius:148px"></div>
    <div style="position:absolute;inset:118px;border:18px solid #fdfaf5;border-radius:92px"></div>
    <div style="position:absolute;inset:136px;display:flex;justify-content:center;align-items:center;gap:10px;font:900 330px/1 'Noto Sans CJK SC','PingFang SC','Microsoft YaHei',sans-serif;color:#fdfaf5">
      <span style="display:block;transform:scale(1,1.78)">四</span><span style="display:block;transform:scale(1,1.78)">库</span>
    </div></div>`
}

async function draw() {
  const browser = await chromium.launch({ executablePath: findChromium() ?? undefined, args: ['--no-sandbox', '--disable-gpu'] })
  const images = new Map()
  for (const size of sizes) {
    const page = await browser.newPage({ viewport: { width: size, height: size } })
    await page.setContent(`<html><body style="margin:0;overflow:hidden">${drawing(size)}</body></html>`)
    images.set(size, await page.screenshot({ omitBackground: true }))
    await page.close()
  }
  await browser.close()
  return images
}

/** Windows: a directory of PNG images. */
function ico(images) {
  const entries = [16, 24, 32, 48, 64, 128, 256].map((size) => ({ size, data: images.get(size) }))
  const head = Buffer.alloc(6 + entries.length * 16)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(entries.length, 4)
  let offset = head.length
  for (const [index, { size, data }] of entries.entries()) {
    const at = 6 + index * 16
    head.writeUInt8(size % 256, at)
    head.writeUInt8(size % 256, at + 1)
    head.writeUInt16LE(1, at + 4)
    head.writeUInt16LE(32, at + 6)
    head.writeUInt32LE(data.length, at + 8)
    head.writeUInt32LE(offset, at + 12)
    offset += data.length
  }
  return Buffer.concat([head, ...entries.map(({ data }) => data)])
}

/** macOS: PNG images under their four-letter names. */
function icns(images) {
  const names = { icp4: 16, icp5: 32, icp6: 64, ic07: 128, ic08: 256, ic09: 512, ic10: 1024, ic11: 32, ic12: 64, ic13: 256, ic14: 512 }
  const parts = Object.entries(names).map(([name, size]) => {
    const head = Buffer.alloc(8)
    head.write(name, 0, 'ascii')
    head.writeUInt32BE(images.get(size).length + 8, 4)
    return Buffer.concat([head, images.get(size)])
  })
  const body = Buffer.concat(parts)
  const head = Buffer.alloc(8)
  head.write('icns', 0, 'ascii')
  head.writeUInt32BE(body.length + 8, 4)
  return Buffer.concat([head, body])
}

const images = await draw()
const build = join(root, 'build')
mkdirSync(join(build, 'icons'), { recursive: true })
for (const size of sizes.filter((size) => size <= 512)) writeFileSync(join(build, 'icons', `${size}x${size}.png`), images.get(size))
writeFileSync(join(build, 'icon.png'), images.get(1024))
writeFileSync(join(build, 'icon.ico'), ico(images))
writeFileSync(join(build, 'icon.icns'), icns(images))
