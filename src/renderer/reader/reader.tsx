export function Reader() {
  return <aside />
}
