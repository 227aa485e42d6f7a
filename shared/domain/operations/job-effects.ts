import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../db/db.ts'
import { jobs, webhookJobs } from '../../queue/jobs.ts'
import { Id } from '../../schemas/common.ts'
import type { QueueJob } from './jobs.ts'

const Effect = Type.Object({ jobId: Id, effect: Type.String() })

type Named = { shopId?: unknown; outgoingMailId?: unknown; deliveryId?: unknown }

/**
 * What is recorded already of the work of jobs, in words, by their ids: a mail that is settled, deliveries that are
 * all applied. Such a job would find nothing to do; one that is not in the answer would do something.
 */
export async function findRecordedEffects(
  db: Db,
  queueJobs: readonly QueueJob[],
): Promise<ReadonlyMap<number, string>> {
  const mails = named(queueJobs, [jobs.sendPurchaseOrder.name], ({ outgoingMailId }) => outgoingMailId)
  const deliveries = named(queueJobs, deliveryTasks, ({ deliveryId }) => deliveryId)
  const effects = await db.any(sql.type(row(Effect))`
    select n.job_id, 'its mail is settled: ' || m.state as effect
    from ${sql.unnest(mails, ['int8', 'int8', 'int8'])} as n (job_id, shop_id, id)
    join outgoing_mail m on m.shop_id = n.shop_id and m.id = n.id
    where m.settled_at is not null
    union all
    select n.job_id, 'its deliveries are settled: ' || string_agg(distinct d.state, ', ') as effect
    from ${sql.unnest(deliveries, ['int8', 'int8', 'int8'])} as n (job_id, shop_id, id)
    join webhook_delivery d on d.shop_id = n.shop_id and d.id = n.id
    group by n.job_id
    having bool_and(d.state in ('applied', 'ignored', 'rejected'))
  `)
  return new Map(effects.map(({ jobId, effect }) => [jobId, effect]))
}

const deliveryTasks = [...Object.values(webhookJobs), jobs.fetchInventoryItems].map(({ name }) => name)

/** [job, shop, id] for each id that the payloads of some tasks name. */
function named(queueJobs: readonly QueueJob[], tasks: readonly string[], idOf: (entry: Named) => unknown) {
  return queueJobs
    .filter(({ task }) => tasks.includes(task))
    .flatMap(({ id, payload }) =>
      [payload].flat().flatMap((entry) => {
        const { shopId, ...ids } = (entry ?? {}) as Named
        const namedId = idOf(ids)
        return typeof shopId === 'number' && typeof namedId === 'number' ? [[id, shopId, namedId]] : []
      }),
    )
}
