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

/** Makes the keys at the first start and keeps them, for their owner's eyes only: the data is sealed with them. */
export async function keepSecrets(dataDir: string): Promise<Secrets> {
  const path = join(dataDir, 'secrets.json')
  const kept = await readFile(path, 'utf8').catch(() => undefined)
  if (kept !== undefined) return JSON.parse(kept)
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
