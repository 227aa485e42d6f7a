import { rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { postgresFolder } from './postgres/database.ts'
import { removePostgres } from './postgres/postgres.ts'
import { claimFolder } from './processes/run-file.ts'

/** Where the simulator stores mails. */
export const mailFolder = (dataDir: string) => join(dataDir, 'mails')

/** Where the simulator stores its shops. */
export const platformFolder = (dataDir: string) => join(dataDir, 'platform')

/**
 * Stops the processes of an earlier run and deletes its data. Deletes only files of `npm start`, because `dataDir`
 * may be a folder that the developer uses for other things, too. Throws while another `npm start` uses the folder.
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
