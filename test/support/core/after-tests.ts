import { removePostgres } from '../../../dev/postgres/postgres.ts'
import { clusterFolder } from './cluster.ts'
import { reportLeaks } from './leaks.ts'

// After the last test file: a secret in anything that was written meanwhile fails the run.
await removePostgres(clusterFolder)
process.exitCode = reportLeaks()
