import { session } from 'electron'

/** The page needs no camera, place or notification: everything is refused but copying to the clipboard, and sound for a spoken question. */
export function setupPermissions(): void {
  const allowed = (permission: string, media: readonly string[]) =>
    permission === 'clipboard-sanitized-write' || (permission === 'media' && media.length > 0 && media.every((kind) => kind === 'audio'))
  session.defaultSession.setPermissionRequestHandler((_contents, permission, answer, details) =>
    answer(allowed(permission, 'mediaTypes' in details ? (details.mediaTypes ?? []) : [])),
  )
  session.defaultSession.setPermissionCheckHandler((_contents, permission, _origin, { mediaType }) =>
    allowed(permission, mediaType === undefined ? [] : [mediaType]),
  )
  session.defaultSession.setDevicePermissionHandler(() => false)
  // The page itself reaches nothing outside: all that goes out goes through the core.
  session.defaultSession.webRequest.onBeforeRequest((details, answer) => {
    answer({ cancel: !/^(siku|blob|data|devtools|chrome-extension):/.test(details.url) })
  })
}
