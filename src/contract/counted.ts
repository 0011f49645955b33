/** A number with the words that agree with it in English: `counted(1, 'passage')`, `counted(3, 'query was', 'queries were')`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}
