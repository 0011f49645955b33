export function Settings() {
  return <div />
}
