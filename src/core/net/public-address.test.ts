import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isPublicAddress, refuseAddress } from './public-address.ts'

const inner = [
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '100.64.0.1',
  '100.100.100.200',
  '127.0.0.1',
  '127.255.255.254',
  '168.63.129.16',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.8',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.1.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::7f00:1',
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
  '::ffff:5db8:d822',
  '64:ff9b::127.0.0.1',
  '64:ff9b::a00:1',
  '64:ff9b::',
  '64:ff9b::1',
  '64:ff9b:1::808:808',
  '100::1',
  '2001::4136:e378:8000:63bf:3fff:fdd2',
  '2001:2::1',
  '2001:10::1',
  '2001:db8::1',
  '2002:7f00:1::1',
  '2002:5db8:d822::1',
  '3fff::1',
  '4000::1',
  '5f00::1',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'ff02::1',
  '2606:4700::1111%lo',
  'localhost',
  '',
]
test.each(inner)('no contact ends at %s', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})

test.each(['1.1.1.1', '93.184.216.34', '100.63.255.255', '172.15.0.1', '172.32.0.1', '198.17.0.1', '223.5.5.5', '2606:4700::1111'])(
  '%s is public',
  (address) => {
    expect(isPublicAddress(address)).toBe(true)
  },
)
test('a network without IPv4 reaches public addresses through its translator', () => {
  expect(isPublicAddress('64:ff9b::5db8:d822')).toBe(true)
  expect(isPublicAddress('64:ff9b::93.184.216.34')).toBe(true)
})

/** Every spelling that a URL parser takes for an address inside, with the part of the sentence that says why. */
test.each([
  ['file:///etc/passwd', 'only http'],
  ['ftp://public.example/', 'only http'],
  ['data:text/html,hello', 'only http'],
  ['javascript:alert(1)', 'only http'],
  ['ws://public.example/', 'only http'],
  ['blob:http://public.example/1', 'only http'],
  ['view-source:http://public.example', 'only http'],
  ['http://user@public.example/', 'a name or a password'],
  ['http://user:secret@public.example/', 'a name or a password'],
  ['http://:secret@public.example/', 'a name or a password'],
  ['http://public.example@127.0.0.1/', 'a name or a password'],
  ['http://public.example%40127.0.0.1@127.0.0.1/', 'a name or a password'],
  ['http://127.0.0.1/', 'this machine'],
  ['http://127.0.0.1./', 'this machine'],
  ['http://127.1/', 'this machine'],
  ['http://2130706433/', 'this machine'],
  ['http://0x7f000001/', 'this machine'],
  ['http://0x7f.0.0.1/', 'this machine'],
  ['http://0177.0.0.1/', 'this machine'],
  ['http://017700000001/', 'this machine'],
  ['http://0/', 'this machine'],
  ['http://%31%32%37.0.0.1/', 'this machine'],
  ['http://１２７.０.０.１/', 'this machine'],
  ['http://127。0。0。1/', 'this machine'],
  ['http://①②⑦.⓪.⓪.①/', 'this machine'],
  ['http:\\\\127.0.0.1\\', 'this machine'],
  ['http:127.0.0.1', 'this machine'],
  ['http://[::1]/', 'this machine'],
  ['http://[::]/', 'this machine'],
  ['http://[0:0:0:0:0:0:0:1]/', 'this machine'],
  ['http://[::ffff:127.0.0.1]/', 'this machine'],
  ['http://[::127.0.0.1]/', 'this machine'],
  ['http://[64:ff9b::127.0.0.1]/', 'this machine'],
  ['http://[2002:7f00:1::]/', 'this machine'],
  ['http://[fe80::1]/', 'this machine'],
  ['http://[fd00::1]/', 'this machine'],
  ['http://169.254.169.254/latest/meta-data/', 'this machine'],
  ['http://192.168.1.1/', 'this machine'],
  ['http://3232235777/', 'this machine'],
  ['http://255.255.255.255/', 'this machine'],
  ['http://localhost/', 'its name'],
  ['http://LOCALHOST./', 'its name'],
  ['http://ｌｏｃａｌｈｏｓｔ/', 'its name'],
  ['http://ⓛocalhost/', 'its name'],
  ['http://local%68ost/', 'its name'],
  ['http://a.localhost/', 'its name'],
  ['http://router/', 'its name'],
  ['http://printer.local/', 'its name'],
  ['http://nas.home.arpa/', 'its name'],
  ['http://metadata.google.internal/', 'its name'],
  ['http://hidden.onion/', 'its name'],
  ['http://build.corp/', 'its name'],
  ['http://localhost../', 'not a name'],
  ['http://a..example/', 'not a name'],
  ['http://public.example:22/', 'port 22'],
  ['http://public.example:6379/', 'port 6379'],
  ['http://public.example:11434/', 'port 11434'],
  ['https://public.example:3306/', 'port 3306'],
])('%s is refused: %s', (address, reason) => {
  expect(refuseAddress(new URL(address))).toContain(reason)
})

test.each(['http://[::1%25lo]/', 'http://[fe80::1%eth0]/', 'http://[::1', 'http://1.2.3.4.5/', 'http://999.1.1.1/', 'http://a b/'])(
  '%s is no address at all',
  (address) => {
    expect(URL.canParse(address)).toBe(false)
  },
)

test.each([
  'http://public.example/',
  'https://public.example:443/',
  'https://public.example:8443/a?b#c',
  'http://1.1.1.1/',
  'http://中文.example/',
  'http://localhost.public.example/',
  'http://127.0.0.1.public.example/',
  'http://[2606:4700::1111]/',
])('%s may be asked for', (address) => {
  expect(refuseAddress(new URL(address))).toBeNull()
})

/** Ways to write one IPv4 address, the usual one first. */
function spellings(value: number): string[] {
  const parts = [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255]
  const [a, b, c, d] = parts as [number, number, number, number]
  return [
    parts.join('.'),
    String(value),
    `0x${value.toString(16)}`,
    `0${value.toString(8)}`,
    parts.map((part) => `0x${part.toString(16)}`).join('.'),
    parts.map((part) => `0${part.toString(8)}`).join('.'),
    `${a}.${(b << 16) | (c << 8) | d}`,
    `${a}.${b}.${(c << 8) | d}`,
    `${parts.join('.')}.`,
    parts.join('。'),
    [...parts.join('.')].map((char) => (char === '.' ? '．' : String.fromCodePoint(0xff10 + Number(char)))).join(''),
    [...parts.join('.')].map((char) => (char === '.' ? char : `%3${char}`)).join(''),
    `[64:ff9b::${parts.join('.')}]`,
  ]
}

test('every spelling of an address is judged as the address is', () => {
  const anywhere = fc.integer({ min: 0, max: 2 ** 32 - 1 })
  const inside = fc
    .tuple(
      fc.constantFrom(0, 10 << 24, 127 << 24, (169 << 24) | (254 << 16), (172 << 24) | (16 << 16), (192 << 24) | (168 << 16)),
      fc.nat(65_535),
    )
    .map(([base, host]) => (base | host) >>> 0)
  fc.assert(
    fc.property(fc.oneof(anywhere, inside), (value) => {
      const [usual = '', ...others] = spellings(value)
      const isAllowed = isPublicAddress(usual)
      for (const host of [usual, ...others]) expect([host, refuseAddress(new URL(`http://${host}/`)) === null]).toEqual([host, isAllowed])
      for (const host of [`::ffff:${hex(value)}`, `::${hex(value)}`, `2002:${hex(value)}::1`, `2001:0:${hex(value)}::1`])
        expect([host, refuseAddress(new URL(`http://[${host}]/`)) === null]).toEqual([host, false])
    }),
    { numRuns: 300 },
  )
})

function hex(value: number): string {
  return `${(value >>> 16).toString(16)}:${(value & 65_535).toString(16)}`
}
