import { safeStorage } from 'electron'
import type { Secrets } from '../core/deps.ts'
import { fileSecrets } from '../core/host/secrets-file.ts'

async function hasKeyring(): Promise<boolean> {
  if (process.platform === 'linux' && ['basic_text', 'unknown'].includes(safeStorage.getSelectedStorageBackend())) return false
  return safeStorage.isAsyncEncryptionAvailable()
}

/**
 * Keys sealed by the system's keyring, kept in a file of their own. Without a keyring they lie in an owner-only file,
 * and the kind says so, for the interface to warn. Keys given to a host without a keyring are found too.
 */
export async function keyringSecrets(dataDir: string): Promise<Secrets> {
  const plain = fileSecrets(dataDir)
  if (!(await hasKeyring())) return { ...plain, kind: 'plain-file' }
  const sealed = fileSecrets(dataDir, 'secrets.sealed.json')

  async function unseal(name: string): Promise<string | null> {
    const value = await sealed.get(name)
    if (value === null) return null
    try {
      const { result, shouldReEncrypt } = await safeStorage.decryptStringAsync(Buffer.from(value, 'base64'))
      if (shouldReEncrypt) await seal(name, result)
      return result
    } catch {
      // Sealed on another machine or for another user: the key has to be given again.
      return null
    }
  }
  async function seal(name: string, value: string): Promise<void> {
    await sealed.set(name, (await safeStorage.encryptStringAsync(value)).toString('base64'))
  }
  return {
    kind: 'keyring',
    get: async (name) => (await unseal(name)) ?? plain.get(name),
    async set(name, value) {
      await seal(name, value)
      await plain.remove(name)
    },
    async remove(name) {
      await sealed.remove(name)
      await plain.remove(name)
    },
  }
}
