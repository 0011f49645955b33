import { session } from 'electron'

/** The page needs no camera, place or notification: everything is refused but copying to the clipboard. */
export function setupPermissions(): void {
  const allowed = (permission: string) => permission === 'clipboard-sanitized-write'
  session.defaultSession.setPermissionRequestHandler((_contents, permission, answer) => answer(allowed(permission)))
  session.defaultSession.setPermissionCheckHandler((_contents, permission) => allowed(permission))
  session.defaultSession.setDevicePermissionHandler(() => false)
  // The page itself reaches nothing outside: all that goes out goes through the core.
  session.defaultSession.webRequest.onBeforeRequest((details, answer) => {
    answer({ cancel: !/^(siku|blob|data|devtools|chrome-extension):/.test(details.url) })
  })
}
