export function Models() {
  return <div />
}
