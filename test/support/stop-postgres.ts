import { removePostgres } from '../../dev/postgres.ts'
import { clusterFolder } from './cluster.ts'

await removePostgres(clusterFolder)
