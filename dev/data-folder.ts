import { rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { postgresFolder } from './postgres/database.ts'
import { removePostgres } from './postgres/postgres.ts'
import { claimFolder } from './processes/run-file.ts'

/** Where the simulator keeps the mails. */
export const mailFolder = (dataDir: string) => join(dataDir, 'mails')

/** Where the simulator keeps its shops. */
export const platformFolder = (dataDir: string) => join(dataDir, 'platform')

/**
 * Ends what an earlier run left behind and deletes what was kept. Only our own files: the folder may be one that
 * somebody has chosen. Throws while another `npm start` works there.
 */
export async function deleteData(dataDir: string): Promise<void> {
  const runFile = await claimFolder(dataDir)
  await removePostgres(postgresFolder(dataDir))
  for (const folder of [mailFolder(dataDir), platformFolder(dataDir)]) {
    await rm(folder, { recursive: true, force: true })
  }
  await rm(join(dataDir, 'secrets.json'), { force: true })
  runFile.remove()
  await rmdir(dataDir).catch(() => {})
}
