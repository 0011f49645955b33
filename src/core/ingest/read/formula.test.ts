import { expect, test } from 'vitest'
import { createMathMl, createOfficeFormula, type FormulaReader } from './formula.ts'
import { readXml } from './xml.ts'

function read(source: string, formula: FormulaReader): string {
  readXml(source, { open: formula.open, close: () => formula.close(), text: formula.text })
  return formula.end()
}

const run = (text: string): string => `<m:r><m:rPr><m:sty m:val="p"/></m:rPr><m:t>${text}</m:t></m:r>`
const part = (name: string, ...inside: string[]): string => `<m:${name}>${inside.join('')}</m:${name}>`
const e = (...inside: string[]): string => part('e', ...inside)

const quadratic =
  run('x=') +
  part(
    'f',
    part(
      'num',
      run('-b±'),
      part(
        'rad',
        '<m:radPr><m:degHide m:val="1"/></m:radPr>',
        part('deg'),
        e(part('sSup', e(run('b')), part('sup', run('2'))), run('-4ac')),
      ),
    ),
    part('den', run('2a')),
  )

test.each([
  ['a fraction over a root', quadratic, 'x=(-b±√(b^2-4ac))/(2a)'],
  ['scripts', part('sSubSup', e(run('x')), part('sub', run('i+1')), part('sup', run('2'))), 'x_(i+1)^2'],
  ['a power of more than one sign', part('sSup', e(run('x')), part('sup', run('-n'))), 'x^(-n)'],
  [
    'a sum with limits',
    part(
      'nary',
      '<m:naryPr><m:chr m:val="∑"/></m:naryPr>',
      part('sub', run('i=1')),
      part('sup', run('n')),
      e(part('sSub', e(run('a')), part('sub', run('i')))),
    ),
    '∑_(i=1)^n a_i',
  ],
  ['an integral, which needs no sign of its own', part('nary', part('sub', run('0')), part('sup', run('∞')), e(run('f'))), '∫_0^∞ f'],
  ['a cube root', part('rad', part('deg', run('3')), e(run('x'))), '∛(x)'],
  [
    'a matrix in brackets',
    part(
      'd',
      '<m:dPr><m:begChr m:val="["/><m:endChr m:val="]"/></m:dPr>',
      e(part('m', part('mr', e(run('1')), e(run('0'))), part('mr', e(run('0')), e(run('1'))))),
    ),
    '[1, 0; 0, 1]',
  ],
  [
    'a system of equations',
    part('d', '<m:dPr><m:begChr m:val="{"/><m:endChr m:val=""/></m:dPr>', e(part('eqArr', e(run('x&amp;=1')), e(run('y&amp;=2'))))),
    '{x=1 ; y=2',
  ],
  ['a limit', part('func', part('fName', part('limLow', e(run('lim')), part('lim', run('n→∞')))), e(run('1/n'))), 'lim_(n→∞) (1/n)'],
  ['a bar and a hat', part('bar', '<m:barPr><m:pos m:val="top"/></m:barPr>', e(run('x'))) + part('acc', e(run('y'))), 'x\u0304\u0177'],
])('%s of Office Math keeps its structure in a line', (_what, source, text) => {
  expect(read(`<m:oMath>${source}</m:oMath>`, createOfficeFormula())).toBe(text)
})

test.each([
  ['<mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mi>c</mi></mfrac>', '(a+b)/c'],
  ['<msup><mi>x</mi><mn>2</mn></msup><mo>=</mo><msqrt><mn>2</mn><mi>a</mi></msqrt>', 'x^2=√(2a)'],
  [
    '<munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover><msub><mi>a</mi><mi>i</mi></msub>',
    '∑_(i=1)^na_i',
  ],
  ['<mroot><mi>x</mi><mn>3</mn></mroot>', '∛(x)'],
  [
    '<mo>[</mo><mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>0</mn></mtd></mtr><mtr><mtd><mn>0</mn></mtd><mtd><mn>1</mn></mtd></mtr></mtable><mo>]</mo>',
    '[[1, 0; 0, 1]]',
  ],
  ['<semantics><mfrac><mn>1</mn><mn>2</mn></mfrac><annotation encoding="StarMath 5.0">1 over 2</annotation></semantics>', '1/2'],
  ['<mover><mi>v</mi><mo>→</mo></mover>', 'v\u20d7'],
])('MathML %s is read as %s', (source, text) => {
  expect(read(`<math xmlns="http://www.w3.org/1998/Math/MathML">${source}</math>`, createMathMl())).toBe(text)
})

test('a formula that breaks off gives what it had', () => {
  expect(read('<m:oMath><m:f><m:num><m:r><m:t>a</m:t></m:r></m:num><m:den><m:r><m:t>b', createOfficeFormula())).toBe('a/b')
})
