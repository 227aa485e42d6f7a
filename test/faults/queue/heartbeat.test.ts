import t from 'tap'
import { sql } from '../../../shared/db/db.ts'
import { lockJob, startHeartbeat } from '../../support/core/heartbeat.ts'
import { startOwnPostgres } from '../../support/core/postgres.ts'
import { until } from '../../support/core/until.ts'

t.test('after a restart of Postgres a worker frees its jobs immediately and ends itself', async (t) => {
  const postgres = await startOwnPostgres(t)
  const { db, failures } = await startHeartbeat(t, 'pool-own', postgres.database)
  await lockJob(db, 'pool-own', 20)
  await postgres.stop('immediate')
  await postgres.restart()
  // on a slow machine the restart takes so long that the heartbeat is missed, too
  await until(
    () => failures.some((failure) => failure.includes('Postgres was restarted')),
    'the worker ends itself',
  )
  const freed = await db.anyFirst(
    sql.typeAlias('id')`select id from free_jobs_of_the_dead('8 seconds', null)`,
  )
  t.equal(freed.length, 1)
})
