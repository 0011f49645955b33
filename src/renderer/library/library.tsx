export function Library() {
  return <div />
}
