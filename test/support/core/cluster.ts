import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { migrate } from '../../../db/migrate.ts'

const folder = new URL('../../../.data/test/', import.meta.url)

/** `test/run.ts` chooses another one. */
export const clusterFolder = process.env.TEST_CLUSTER ?? fileURLToPath(new URL('postgres', folder))
/** The file with the address of the running cluster. */
export const addressFile = fileURLToPath(new URL('address', folder))
export const template = 'quartermaster_template'

export const migrateTest = (url: string) => migrate({ url, ssl: false })

const memory = '/dev/shm'
const neededBytes = 4 * 2 ** 30

/**
 * Makes the folder of a run's temporary files, in memory where there is room: Postgres clones a database ten times
 * as fast there. The same clone always gets the same folder, so a run finds what a killed run left.
 */
export function makeTemporaryFolder(root: string): { path: string; empty: () => void } {
  const name = `quartermaster-test-${createHash('sha256').update(root).digest('hex').slice(0, 12)}`
  const path = join(hasRoom() ? memory : tmpdir(), name)
  mkdirSync(path, { recursive: true })
  // Postgres runs as another user when root starts it
  chmodSync(path, 0o755)
  return { path, empty: () => rmSync(path, { recursive: true, force: true }) }
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(memory)
    return bavail * bsize > neededBytes
  } catch {
    return false
  }
}
