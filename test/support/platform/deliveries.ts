import { Type } from '@sinclair/typebox'
import type { Test } from 'tap'
import { row, sql } from '../../../shared/db/db.ts'
import { type DeliveryJob, type WebhookTopic, webhookJobs } from '../../../shared/queue/jobs.ts'
import { startApp } from '../core/app.ts'
import type { Person } from '../core/people.ts'
import { deliveryJobs, startTasks } from '../core/worker.ts'
import { deliver, sign } from './webhooks.ts'

const Settled = Type.Object({ state: Type.String(), reason: Type.String() })

/** Runs web's and the worker's code on one database: delivered webhooks are applied as the queue would do it. */
export async function startDeliveries(t: Test) {
  const { app, db, alice, mallory } = await startApp(t)
  const { perform } = await startTasks(t, db)

  /** Applies all pending deliveries of a topic of a person's shop, as one list. */
  const applyAll = async (topic: WebhookTopic, person: Person = alice) => {
    const job: DeliveryJob = webhookJobs[topic]
    const lists = await deliveryJobs(db, job, person.shopId)
    const outcomes = await perform(job, lists.flat())
    if (Array.isArray(outcomes)) await Promise.all(outcomes)
  }

  return {
    app,
    db,
    alice,
    mallory,
    perform,
    applyAll,
    /** Delivers bodies and applies them as one batch. Returns the outcome of each. */
    deliverAndApply: async (topic: WebhookTopic, ...bodies: unknown[]) => {
      for (const body of bodies) await deliver(app, sign(alice, topic, body))
      await applyAll(topic)
      const states = await db.any(sql.type(row(Settled))`
        select state, reason from webhook_delivery where shop_id = ${alice.shopId} order by id
      `)
      return states.slice(-bodies.length)
    },
  }
}
