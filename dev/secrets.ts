import { randomBytes } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The keys of one development machine, named as in `shared/config.ts`. */
export type Secrets = {
  PLATFORM_API_KEY: string
  PLATFORM_API_SECRET: string
  TOKEN_ENCRYPTION_KEYS: string
  POSTMARK_SERVER_TOKEN: string
}

/**
 * Loads the keys, or creates them at the first start. The stored data is encrypted with them, so they must not
 * change; only the owner of the file can read it.
 */
export async function loadSecrets(dataDir: string): Promise<Secrets> {
  const path = join(dataDir, 'secrets.json')
  const stored = await readFile(path, 'utf8').catch(() => undefined)
  if (stored !== undefined) return JSON.parse(stored)
  const secrets: Secrets = {
    PLATFORM_API_KEY: randomBytes(16).toString('hex'),
    PLATFORM_API_SECRET: randomBytes(32).toString('hex'),
    TOKEN_ENCRYPTION_KEYS: randomBytes(32).toString('base64'),
    POSTMARK_SERVER_TOKEN: randomBytes(16).toString('hex'),
  }
  await writeFile(`${path}.part`, `${JSON.stringify(secrets, undefined, 2)}\n`, { mode: 0o600 })
  await rename(`${path}.part`, path)
  return secrets
}
