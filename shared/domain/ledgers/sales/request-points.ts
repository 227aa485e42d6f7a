import { type Db, sql } from '../../../db/db.ts'
import { enqueueAll } from '../../../queue/enqueue.ts'
import { jobs } from '../../../queue/jobs.ts'

const rulesPerJob = 300

/** Enqueues the computation of the automatic rules of these variants, since their sales or forecasts changed. */
export async function requestPoints(tx: Db, shopId: number, variantIds: readonly number[]): Promise<void> {
  if (variantIds.length === 0) return
  const ruleIds = await tx.anyFirst(sql.typeAlias('id')`
    select id
    from reorder_rule
    where shop_id = ${shopId} and mode = 'auto' and variant_id = any(${sql.array([...variantIds], 'int8')})
    order by id
  `)
  const payloads = Array.from({ length: Math.ceil(ruleIds.length / rulesPerJob) }, (_, at) => ({
    shopId,
    ruleIds: ruleIds.slice(at * rulesPerJob, (at + 1) * rulesPerJob),
  }))
  await enqueueAll(tx, jobs.recomputeReorderPoints, payloads)
}
