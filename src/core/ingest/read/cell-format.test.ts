import XLSX from '@e965/xlsx'
import { afterAll, describe, expect, test } from 'vitest'
import { fileReader } from '../../../../test/fixtures/read-file.ts'
import { createCellFormat } from './cell-format.ts'
import { formatLibrary } from './format-library.ts'

const files = fileReader()
afterAll(() => files.close())

const format = createCellFormat(formatLibrary, false)
/** 5 March 2024, a Tuesday, at 14:30:05. */
const moment = '45356.60422453704'

test.each([
  // Ten thousands, with the escapes of Chinese formats.
  ['0!.0,"万"', '123456', '12.3万'],
  ['0!.0000"万"', '1234.5', '0.1235万'],
  ['0\\.0,"万"', '-123456', '-12.3万'],
  ['0"."#,"万"', '123456', '12.3万'],
  ['[>=100000000]0!.00,,"亿";[>=10000]0!.0,"万";0', '250000000', '2.50亿'],
  ['[>=100000000]0!.00,,"亿";[>=10000]0!.0,"万";0', '25000', '2.5万'],
  ['[>=100000000]0!.00,,"亿";[>=10000]0!.0,"万";0', '25', '25'],
  ['[>=1e4]0!.0,"万";0', '-5', '-5'],
  ['[<60]"不及格";[>=60]"及格"', '85', '及格'],
  ['[Red][<0]-0.0;[Blue]0.0', '-2', '-2.0'],
  ['0!', '5', '5!'],
  // Currencies and units, quoted or not.
  ['¥#,##0.00', '1234.5', '¥1,234.50'],
  ['￥#,##0.00', '1234.5', '￥1,234.50'],
  ['£#,##0.00', '-1234.5', '-£1,234.50'],
  ['¥#,##0.00;[Red]¥-#,##0.00', '-1234.5', '¥-1,234.50'],
  ['#,##0.00元', '1234.5', '1,234.50元'],
  ['General"元"', '1234.5', '1234.5元'],
  ['G/通用格式"元"', '-1234.5', '-1234.5元'],
  ['[$¥-804]#,##0.00', '1234.5', '¥1,234.50'],
  ['#,##0.00 [$€-407]', '1234.5', '1,234.50 €'],
  ['[$$-409]#,##0.00', '99.5', '$99.50'],
  ['[$-804]#,##0.00', '99.5', '99.50'],
  ['[$-804]General', '99.5', '99.5'],
  ['_ "¥"* #,##0.00_ ;_ "¥"* \\-#,##0.00_ ;_ "¥"* "-"??_ ;_ @_ ', '1234.5', '¥1,234.50'],
  ['_ "¥"* #,##0.00_ ;_ "¥"* \\-#,##0.00_ ;_ "¥"* "-"??_ ;_ @_ ', '-1', '¥-1.00'],
  ['_ "¥"* #,##0.00_ ;_ "¥"* \\-#,##0.00_ ;_ "¥"* "-"??_ ;_ @_ ', '0', '¥-'],
  ['#,##0.00_);[Red]\\(#,##0.00\\)', '-1234.5', '(1,234.50)'],
  // Chinese numerals.
  ['[DBNum2][$-804]General', '1234', '壹仟贰佰叁拾肆'],
  ['[DBNum2][$-804]G/通用格式"元整"', '10203', '壹万零贰佰零叁元整'],
  ['[DBNum2]General', '100000000', '壹亿'],
  ['[DBNum1][$-804]General', '1234.5', '一千二百三十四.五'],
  ['[DBNum1][$-804]General', '15', '一十五'],
  ['[DBNum1]0', '1050', '一〇五〇'],
  ['[DBNum3][$-804]General', '12', '１十２'],
  // Digits in their places.
  ['000-0000-0000', '13800138000', '138-0013-8000'],
  ['(000) 000-0000', '5551234567', '(555) 123-4567'],
  ['00000', '123', '00123'],
  ['#,##0', '1234567.5', '1,234,568'],
  ['#,##0,"千"', '1234567', '1,235千'],
  ['0.0,,"M"', '1234567', '1.2M'],
  ['0.00%', '0.1234', '12.34%'],
  ['0%', '0.335', '34%'],
  ['0.00', '1.005', '1.01'],
  ['0.0#', '1', '1.0'],
  ['.00', '12.5', '12.50'],
  ['???', '5', '5'],
  ['0"件"', '12', '12件'],
  ['"第"0"号"', '-3', '-第3号'],
  ['0.00E+00', '123456789', '1.23E+08'],
  ['"约"0.0E+0"元"', '-12345', '-约1.2E+4元'],
  ['# ?/?', '3.5', '3 1/2'],
  ['# ??/100', '0.25', '25/100'],
  ['"a"# ?/?"b"', '0.25', 'a1/4b'],
  [';;;', '5', ''],
  ['0;-0;"无"', '0', '无'],
  ['0 kg', '5', '5 kg'],
  ['@', '42', '42'],
  // Numbers as they are.
  ['General', '110101199001011234', '110101199001011234'],
  ['General', '1234567890123456', '1234567890123456'],
  ['0', '6222020200112233445', '6222020200112233445'],
  ['General', '1.101011990010112E+17', '1.10101199001011E+17'],
  ['General', '1.234567890123456E+15', '1234567890123456'],
  ['General', '1E+21', '1E+21'],
  ['General', '0.0000001', '1E-07'],
  ['General', '0.30000000000000004', '0.3'],
  ['General', '1234.0', '1234'],
  ['General', '-0.5', '-0.5'],
])('%s of %s', (code, value, shown) => {
  expect(format.number(code, value)).toBe(shown)
})

test.each([
  ['yyyy年m月d日', '2024年3月5日'],
  ['yyyy"年"m"月"d"日"', '2024年3月5日'],
  ['yyyy年mm月dd日 hh时mm分ss秒', '2024年03月05日 14时30分05秒'],
  ['[$-804]yyyy年mm月dd日 dddd', '2024年03月05日 星期二'],
  ['yy.m.d', '24.3.5'],
  ['yyyy/m/d h:mm;@', '2024/3/5 14:30'],
  ['yyyymmdd', '20240305'],
  ['aaaa', '星期二'],
  ['aaa', '周二'],
  ['[$-804]aaaa', '星期二'],
  ['[$-804]aaa;@', '周二'],
  ['yyyy-m-d aaaa', '2024-3-5 星期二'],
  ['[$-804]dddd', '星期二'],
  ['[$-zh-CN]mmmm', '三月'],
  ['dddd, mmmm d', 'Tuesday, March 5'],
  ['[$-F800]dddd\\,\\ mmmm\\ dd\\,\\ yyyy', 'Tuesday, March 05, 2024'],
  ['[$-x-sysdate]yyyy-mm-dd', '2024-03-05'],
  ['[ENG][$-409]d-mmm-yy', '5-Mar-24'],
  ['[$-407]d. mmmm yyyy', '5. März 2024'],
  ['[$-40C]dddd d mmmm yyyy', 'mardi 5 mars 2024'],
  ['[DBNum1][$-804]yyyy"年"m"月"d"日";@', '二〇二四年三月五日'],
  ['[DBNum2][$-804]yyyy年m月d日', '贰零贰肆年叁月伍日'],
  ['[$-411]ggge"年"m"月"d"日"', '令和6年3月5日'],
  ['[$-411]gge.m.d', '令6.3.5'],
  ['[$-411]aaaa', '火曜日'],
  ['[$-ja-JP-x-gannen]dddd', '火曜日'],
  ['[$-412]dddd', '화요일'],
  ['[$-404]e"年"m"月"', '113年3月'],
  ['e"年"m"月"', '2024年3月'],
  ['h:mm AM/PM', '2:30 PM'],
  ['[$-804]AM/PM h"时"mm"分"', '下午 2时30分'],
  ['上午/下午h"时"mm"分";@', '下午2时30分'],
  ['h:mm:ss A/P', '2:30:05 P'],
  ['mm:ss.00', '30:05.00'],
  ['[mm]:ss', '65313510:05'],
])('a day under %s', (code, shown) => {
  expect(format.number(code, moment)).toBe(shown)
})

test.each([
  ['[h]:mm', '1.5521', '37:15'],
  ['[hh]"小时"mm"分"', '0.0625', '01小时30分'],
  ['[s]', '0.5', '43200'],
  ['yyyy-mm-dd', '60', '1900-02-29'],
  ['yyyy-mm-dd', '-1', '-1'],
  ['yyyy-mm-dd', '20240305', '20240305'],
  ['yyyy-mm-dd', 'text', 'text'],
])('%s of %s is no day, or one at the edge', (code, value, shown) => {
  expect(format.number(code, value)).toBe(shown)
})

test('texts are shown through the last part of their format', () => {
  expect(format.text('0;-0;0;@"先生"', '张三')).toBe('张三先生')
  expect(format.text('_ * #,##0_ ;_ @_ ', '张三')).toBe('张三')
  expect(format.text('@', '张三')).toBe('张三')
  expect(format.text(';;;', '张三')).toBe('张三')
})

test('days count from 1904 where the workbook says so, and no built-in format names a currency', () => {
  expect(createCellFormat(formatLibrary, true).number('yyyy-mm-dd', '43894')).toBe('2024-03-05')
  for (const id of [5, 6, 7, 8, 41, 42, 43, 44]) expect(format.number(id, '1234')).not.toMatch(/\p{Sc}/u)
})

const everySign = [...'0#?.,%/@;!_*\\"[]$-EeyYmMdDhHsSaAgGbB >=<1万年月日¥:+']

test('no format of any signs fails, or shows a number as another currency', () => {
  let seed = 11
  const random = (most: number): number => (seed = (seed * 48_271) % 2_147_483_647) % most
  for (let round = 0; round < 3000; round += 1) {
    const code = Array.from({ length: random(12) }, () => everySign[random(everySign.length)]).join('')
    const shown = format.number(code, moment)
    if (!code.includes('$')) expect(shown, code).not.toContain('$')
  }
})

describe.each([
  ['xlsx', 'xlsx'],
  ['biff8', 'xls'],
] as const)('a workbook as %s', (bookType, ending) => {
  test('shows its numbers as their formats say', async () => {
    const sheet = XLSX.utils.aoa_to_sheet([
      ['名目', '值'],
      ['万', 123456],
      ['日期', 45356],
      ['星期', 45356],
      ['大写', 1234],
      ['价格', 1234.5],
    ])
    const codes = ['0!.0,"万"', 'yyyy年m月d日', '[$-804]aaaa', '[DBNum2][$-804]General', '￥#,##0.00']
    for (const [index, code] of codes.entries()) {
      const cell: unknown = sheet[`B${index + 2}`]
      if (typeof cell === 'object' && cell !== null) Object.assign(cell, { z: code })
    }
    const book = XLSX.utils.book_new()
    XLSX.utils.book_append_sheet(book, sheet, 'S')
    const { text } = await files.read(XLSX.write(book, { type: 'buffer', bookType }) as Buffer, `formats.${ending}`)
    expect(text).toBe('名目 · 值\n万 · 12.3万\n日期 · 2024年3月5日\n星期 · 星期二\n大写 · 壹仟贰佰叁拾肆\n价格 · ￥1,234.50')
  })
})
