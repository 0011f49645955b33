import { isSpace } from './loose-json.ts'

const quotes: Record<string, string> = { '"': '"', "'": "'", '“': '”', '‘': '’' }
const longestToken = 100

/**
 * Where a JSON value that comes letter by letter ends, in constant time a letter. On valid JSON it is exact; it bears quotes
 * that are not escaped (a string ends only before a comma, colon or bracket), other quotes and comments.
 */
export class JsonSpan {
  depth = 0
  /** What was just read, at `depth`: a key (at its colon) or a string value (at what follows it). */
  event: 'key' | 'value' | null = null
  token = ''
  /** Nothing so far that valid JSON could not have. */
  wellFormed = true
  private close = ''
  private state: 'outside' | 'string' | 'ending' | 'line' | 'block' = 'outside'
  private escaped = false
  private startable = true
  /** Every quote of it has a backslash: the whole was escaped once too often. */
  private allEscaped = false
  private text = ''
  private isString = false
  private before = ''

  get inString(): boolean {
    return this.state === 'string'
  }

  /** True at the bracket that ends the value. */
  push(char: string): boolean {
    this.event = null
    const before = this.before
    this.before = char
    if (this.state === 'string') this.inside(char)
    else if (this.state === 'line') this.state = char === '\n' ? 'outside' : 'line'
    else if (this.state === 'block') this.state = before === '*' && char === '/' ? 'outside' : 'block'
    else if (this.state === 'ending') {
      if (isSpace(char.charCodeAt(0)) || (char === '\\' && this.allEscaped)) return false
      if (isStructure(char) || char === '/' || char === '#') {
        this.state = 'outside'
        this.isString = true
        return this.outside(char, before)
      }
      this.wellFormed = false
      if (char !== this.close) {
        this.state = 'string'
        this.inside(char)
      }
    } else return this.outside(char, before)
    return false
  }

  private inside(char: string): void {
    if (this.escaped) this.escaped = false
    else if (char === '\\' && !this.allEscaped) {
      this.escaped = true
      return
    } else if (char === this.close) {
      this.state = 'ending'
      return
    } else if (char === '\\') return
    else if (char === '\n') this.wellFormed = false
    if (this.text.length < longestToken) this.text += char
  }

  private outside(char: string, before: string): boolean {
    switch (char) {
      case '{':
      case '[':
      case '｛':
      case '［':
        this.depth += 1
        this.startable = true
        this.text = ''
        return false
      case '}':
      case ']':
      case '｝':
      case '］':
        this.say(this.isString ? 'value' : null)
        this.depth -= 1
        this.startable = false
        return this.depth <= 0
      case ',':
      case '，':
        this.say(this.isString ? 'value' : null)
        this.startable = true
        return false
      case ':':
      case '：':
        this.say('key')
        this.startable = true
        return false
      case '\\':
        if (this.startable && before === '{') this.allEscaped = true
        return false
      case '/':
      case '*':
        if (before === '/') this.state = char === '/' ? 'line' : 'block'
        this.wellFormed = false
        return false
      case '#':
        this.state = 'line'
        this.wellFormed = false
        return false
    }
    if (isSpace(char.charCodeAt(0))) return false
    const close = quotes[char]
    if (close !== undefined && this.startable) {
      this.state = 'string'
      this.close = close
      this.text = ''
      this.startable = false
    } else if (close !== undefined) this.wellFormed = false
    else {
      if (this.startable) this.text = ''
      this.startable = false
      this.isString = false
      if (this.text.length < longestToken) this.text += char
    }
    return false
  }

  private say(event: 'key' | 'value' | null): void {
    this.event = event
    this.token = this.text
    this.text = ''
    this.isString = false
  }
}

function isStructure(char: string): boolean {
  return ',:}]，：｝］'.includes(char)
}
