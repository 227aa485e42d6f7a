import { buildApp } from '../../api/app.ts'
import { planOf, recordStatements } from '../../dev/postgres/statements.ts'
import { loadConfig } from '../../shared/config.ts'
import type { DatabasePool } from '../../shared/db/db.ts'
import { createPdfRenderer } from '../../shared/pdf/renderer.ts'
import { createLog } from '../../shared/telemetry/log.ts'
import { type BenchShop, type BenchSystem, environment } from './system.ts'

/** The query plan of each address, line by line. A route's data comes from the last statement that it runs. */
export async function planRoutes(
  { databaseUrl }: BenchSystem,
  pool: DatabasePool,
  { token }: BenchShop,
  addresses: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const config = loadConfig({ ...environment(databaseUrl), LOG_LEVEL: 'silent' }, 'web')
  const { db, statements } = recordStatements(pool)
  const pdf = createPdfRenderer()
  const app = await buildApp({ config, db, pdf, log: createLog(config, 'web'), isStopping: () => false })
  const plans = new Map<string, readonly string[]>()
  try {
    for (const url of addresses) {
      await app.inject({ url, headers: { authorization: `Bearer ${token}` } })
      const statement = statements.at(-1)
      if (!statement) throw new Error(`${url} runs no statement`)
      plans.set(url, (await planOf(pool, statement, { isRun: true })).split('\n'))
    }
    return plans
  } finally {
    await app.close()
    await pdf.close()
  }
}
