import { InvalidArgumentError, type Command } from 'commander'

/** A whole number in a range; anything else is wrong use. */
export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = /^\d+$/.test(text) ? Number(text) : NaN
    if (!(value >= least && value <= most)) throw new InvalidArgumentError(`a whole number from ${least} to ${most} is wanted.`)
    return value
  }
}

export function oneOf<T extends string>(values: readonly T[]): (text: string) => T {
  return (text) => {
    const found = values.find((value) => value === text)
    if (found === undefined) throw new InvalidArgumentError(`one of ${values.join(', ')} is wanted.`)
    return found
  }
}

/** Something must be said: an empty path would mean the current directory, an empty name anything. */
export function filled(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('it must not be empty.')
  return text
}

/** An option that may be given again. */
export function list<T>(parse: (text: string) => T): (text: string, before: T[] | undefined) => T[] {
  return (text, before = []) => [...before, parse(text)]
}

/** Of a command that has others below it: a word that is none of them is wrong use, never an argument. */
export function refuseUnknownBelow(command: Command): void {
  const [unknown] = command.args
  if (unknown === undefined) return
  const known = command.commands.map((each) => each.name())
  command.error(`error: there is no '${command.name()} ${unknown}'; there is: ${known.join(', ')}`, { exitCode: 2 })
}

/** Names with commas between. */
export function names(text: string): string[] {
  return filled(text)
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}
