import { removePostgres } from '../../dev/postgres/postgres.ts'
import { reportLeaks } from '../support/core/outputs.ts'
import { clusterFolder } from '../support/core/postgres.ts'

// Runs after the last test file. A secret in any recorded output fails the run.
await removePostgres(clusterFolder)
process.exitCode = reportLeaks()
