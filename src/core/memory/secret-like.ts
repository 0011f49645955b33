/** "The password is …", 密码是…: named as a secret, whatever it looks like. */
const named =
  /\b(?:pass(?:word|code|phrase)|api[ _-]?key|secret(?: key)?|access token|cvv|seed phrase)s?\b[^.;,]{0,40}?(?:\bis\b|\bare\b|[:=])\s*\S|\bpin\b[^.;,]{0,30}?(?:\bis\b|[:=])\s*\d|(?:密码|口令|密钥|验证码|助记词|支付码|取款码)[^。；，]{0,12}?(?:是|为|：|:|=)\s*\S/i

/** Named as the number of a card or of a person, with such a number after it. */
const namedNumber =
  /(?:\b(?:passport|social security|ssn|identity card|id card|credit card|debit card|bank card)\b[^.;\d]{0,30}?\b|(?:身份证|护照|社保|银行卡|信用卡|储蓄卡)[^\d。；]{0,16}?)[A-Z]{0,2}(?!(?:19|20)\d\d[-/年])\d(?:[ -]?\d){6,}|\biban\b[^.;]{0,12}[A-Z]{2}\d{2}/i

/** Keys by the shapes that their makers give them, and long tokens of mixed characters that nobody would say as a word. */
const keyShapes: RegExp[] = [
  /\b(?:sk|pk|rk)[-_](?:[A-Za-z0-9]+[-_])*[A-Za-z0-9_-]{16,}/,
  /\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|hf_[A-Za-z0-9]{20,}|npm_[A-Za-z0-9]{20,}|pypi-[\w-]{20,})/,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/,
  /\bLTAI[A-Za-z0-9]{12,}\b/,
  /\b(?:AIza[\w-]{30,}|ya29\.[\w-]{20,})/,
  /\bxox[a-z]-[\w-]{10,}/,
  /\beyJ[\w-]{10,}\.[\w-]{10,}/,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
  /\b[0-9a-f]{32,}(?:\.\w{8,})?\b/i,
]
/** Not within an address or a path. */
const longToken = /(?<![\w/.:@=&?#%+-])[\w+-]{24,}(?![\w/.@])/g
const cardLike = /(?<![\d.,-])[2-6]\d(?:[ -]?\d){11,17}(?![\d-])/g
const identityLike = /(?<![\dA-Za-z])\d{17}[\dX](?![\dA-Za-z])/gi

/** Whether a text holds what nobody wants kept: a password, a key, a card's or a person's number. */
export function looksSecret(given: string): boolean {
  const text = given.normalize('NFKC')
  return (
    named.test(text) ||
    namedNumber.test(text) ||
    keyShapes.some((shape) => shape.test(text)) ||
    [...text.matchAll(longToken)].some(([token]) => /[a-z]/.test(token) && /[A-Z]/.test(token) && /\d.*\d/.test(token)) ||
    [...text.matchAll(cardLike)].some(([number]) => isCard(number.replace(/\D/g, ''))) ||
    [...text.matchAll(identityLike)].some(([number]) => isIdentity(number.toUpperCase()))
  )
}

/** ISO/IEC 7812: 13 to 19 digits whose last one is the Luhn check digit. */
function isCard(digits: string): boolean {
  if (digits.length < 13 || digits.length > 19) return false
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}

const identityWeights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]

/** GB 11643: region, date of birth, order, and a check character by ISO 7064 (MOD 11-2). */
function isIdentity(number: string): boolean {
  if (!/^[1-9]\d{5}(?:18|19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}[\dX]$/.test(number)) return false
  const sum = identityWeights.reduce((total, weight, index) => total + weight * Number(number[index]), 0)
  return '10X98765432'[sum % 11] === number[17]
}

const secretNames =
  /\b(?:pass(?:word|code|phrase)|pin|key|secret|token|cvv|seed phrase|card|account|number|id|login|credentials?|wifi|wi-fi)s?\b|密码|口令|密钥|秘密|验证码|助记词|支付码|取款码|卡号|账号|帐号|号码|身份证|护照|登录/i

/** Whether a question names something that is kept secret. */
export function asksForSecret(text: string): boolean {
  return secretNames.test(text)
}
