export interface Piece {
  kind: 'text' | 'thinking'
  text: string
}

const openTag = '<think>'
const closeTag = '</think>'

/**
 * Parts literal <think>…</think> from the answer, also when a tag is split across pieces. Some servers leave the tags in
 * the content. A tag after a backtick is code and stays; a closing tag with no opening one is dropped.
 */
export function createThinkSplitter(): { push: (text: string) => Piece[]; flush: () => Piece[] } {
  let held = ''
  let thinking = false
  let before = ''
  /** The line breaks between the thoughts and the answer belong to neither. */
  let trimming = false

  function emit(pieces: Piece[], text: string): void {
    let kept = text
    if (trimming) {
      kept = text.replace(/^\s+/, '')
      if (kept === '') return
      trimming = false
    }
    if (kept === '') return
    before = kept.slice(-1)
    pieces.push({ kind: thinking ? 'thinking' : 'text', text: kept })
  }

  function push(text: string): Piece[] {
    const pieces: Piece[] = []
    let rest = held + text
    held = ''
    while (rest !== '') {
      const at = rest.indexOf('<')
      if (at === -1) {
        emit(pieces, rest)
        break
      }
      emit(pieces, rest.slice(0, at))
      rest = rest.slice(at)
      const tag = [openTag, closeTag].find((name) => rest.startsWith(name))
      if (tag !== undefined && !(before === '`' && !thinking)) {
        thinking = tag === openTag
        trimming = true
        before = ''
        rest = rest.slice(tag.length)
      } else if (tag === undefined && [openTag, closeTag].some((name) => name.startsWith(rest))) {
        held = rest
        break
      } else {
        emit(pieces, '<')
        rest = rest.slice(1)
      }
    }
    return merge(pieces)
  }

  return {
    push,
    flush() {
      const pieces: Piece[] = []
      emit(pieces, held)
      held = ''
      return pieces
    },
  }
}

function merge(pieces: Piece[]): Piece[] {
  const merged: Piece[] = []
  for (const piece of pieces) {
    const last = merged.at(-1)
    if (last?.kind === piece.kind) last.text += piece.text
    else merged.push({ ...piece })
  }
  return merged
}
