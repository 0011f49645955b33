#!/bin/bash
set -e
ln -sf '/opt/${sanitizedProductName}/resources/command/siku' /usr/bin/siku
ln -sf '/opt/${sanitizedProductName}/${executable}' '/usr/bin/${executable}'
# The sandbox of Chromium needs either user namespaces or this helper owned by root.
if ! { [ -L /proc/self/ns/user ] && unshare --user true 2>/dev/null; }; then
  chmod 4755 '/opt/${sanitizedProductName}/chrome-sandbox' || true
else
  chmod 0755 '/opt/${sanitizedProductName}/chrome-sandbox' || true
fi
if hash update-mime-database 2>/dev/null; then update-mime-database /usr/share/mime || true; fi
if hash update-desktop-database 2>/dev/null; then update-desktop-database /usr/share/applications || true; fi
