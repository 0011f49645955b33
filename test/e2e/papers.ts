import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PDFDocument, StandardFonts } from 'pdf-lib'

/** A folder as people have them: both languages, several kinds, a PDF whose answer stands on its third page. */
export async function makePapers(parent: string): Promise<string> {
  const folder = join(parent, 'Papers 文件')
  mkdirSync(join(folder, '图书馆'), { recursive: true })
  writeFileSync(
    join(folder, '图书馆', '开放时间.md'),
    '# 开放时间\n\n图书馆每天上午八点开门，晚上九点半关门。周一上午闭馆整理。\n\n## 借书\n\n每人一次最多借六本。\n',
  )
  writeFileSync(
    join(folder, 'garden.md'),
    '# Garden notes\n\nThe tomatoes went into the ground on 12 May.\n\n## Roses\n\nThe roses are cut back in late February.\n',
  )
  writeFileSync(join(folder, 'notes.txt'), 'The plumber comes on Thursday. The spare key hangs behind the boiler.\n')
  const pdf = await PDFDocument.create()
  const font = await pdf.embedFont(StandardFonts.TimesRoman)
  const pages = [
    ['Lease of the flat in Mill Street', 'This lease is made between Ada Brook, the landlord, and Tom Field, the tenant.'],
    ['Rent', 'The rent is 940 euros a month and is paid on the third working day.'],
    ['Notice', 'The tenant gives ninety days of notice before moving out. Notice is given in writing.'],
  ]
  for (const [title, text] of pages) {
    const page = pdf.addPage([595, 842])
    page.drawText(title ?? '', { x: 60, y: 760, size: 18, font })
    page.drawText(text ?? '', { x: 60, y: 720, size: 11, font, maxWidth: 470, lineHeight: 15 })
  }
  writeFileSync(join(folder, 'lease.pdf'), await pdf.save())
  return folder
}
