import type { LineTurn } from '../read/read.ts'
import type { Pixels, Rectangle } from './pixels.ts'
import { quarterTurned } from './tall.ts'

export type PageTurn = 'right' | LineTurn

const wholeOf = ({ width, height }: Pixels): Rectangle => ({ x: 0, y: 0, width, height })

/** A part of a page as an image of its own whose lines run to the right. */
export function partUpright(image: Pixels, part: Rectangle, turn: LineTurn): Pixels {
  if (turn !== 'left') return quarterTurned(image, part, turn)
  const once = quarterTurned(image, part, 'down')
  return quarterTurned(once, wholeOf(once), 'down')
}

export function upright(image: Pixels, turn: PageTurn): Pixels {
  return turn === 'right' ? image : partUpright(image, wholeOf(image), turn)
}

/** A box of the page that was set upright, both in shares of its page, as a box of the page as it lies. */
export function boxAsItLies({ x, y, width, height }: Rectangle, turn: PageTurn): Rectangle {
  switch (turn) {
    case 'right':
      return { x, y, width, height }
    case 'down':
      return { x: 1 - y - height, y: x, width: height, height: width }
    case 'left':
      return { x: 1 - x - width, y: 1 - y - height, width, height }
    case 'up':
      return { x: y, y: 1 - x - width, width: height, height: width }
  }
}
