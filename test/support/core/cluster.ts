import { fileURLToPath } from 'node:url'
import { migrate } from '../../../db/migrate.ts'

const folder = new URL('../../../.data/test/', import.meta.url)

/** `test/run.ts` chooses another one. */
export const clusterFolder = process.env.TEST_CLUSTER ?? fileURLToPath(new URL('postgres', folder))
/** The file with the address of the running cluster. */
export const addressFile = fileURLToPath(new URL('address', folder))
export const template = 'quartermaster_template'

export const migrateTest = (url: string) => migrate({ url, ssl: false })
