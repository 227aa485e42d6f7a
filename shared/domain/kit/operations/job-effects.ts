import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { jobs, webhookJobs } from '../../../queue/jobs.ts'
import { Id } from '../../../schemas/common.ts'
import type { QueueJob } from './jobs.ts'

const Effect = Type.Object({ jobId: Id, effect: Type.String() })

type PayloadIds = { shopId?: unknown; outgoingMailId?: unknown; deliveryId?: unknown }

/** Finds jobs that would do nothing (mail settled, deliveries applied). Returns a text about it by job id. */
export async function findRecordedEffects(
  db: Db,
  queueJobs: readonly QueueJob[],
): Promise<ReadonlyMap<number, string>> {
  const mails = idsIn(queueJobs, [jobs.sendPurchaseOrder.name], ({ outgoingMailId }) => outgoingMailId)
  const deliveries = idsIn(queueJobs, deliveryTasks, ({ deliveryId }) => deliveryId)
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

function idsIn(queueJobs: readonly QueueJob[], tasks: readonly string[], idOf: (ids: PayloadIds) => unknown) {
  return queueJobs
    .filter(({ task }) => tasks.includes(task))
    .flatMap(({ id, payload }) =>
      [payload].flat().flatMap((entry) => {
        const { shopId, ...ids } = (entry ?? {}) as PayloadIds
        const recordId = idOf(ids)
        return typeof shopId === 'number' && typeof recordId === 'number' ? [[id, shopId, recordId]] : []
      }),
    )
}
