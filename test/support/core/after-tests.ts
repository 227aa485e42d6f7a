import { removePostgres } from '../../../dev/postgres/postgres.ts'
import { clusterFolder } from './cluster.ts'
import { reportLeaks } from './outputs.ts'

// Runs after the last test file. A secret in any recorded output fails the run.
await removePostgres(clusterFolder)
process.exitCode = reportLeaks()
