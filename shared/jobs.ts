import { type TSchema, Type } from '@sinclair/typebox'
import { Id } from './schemas/common.ts'

/** A kind of background work: its name in the queue, what it is told, and how often it is tried. */
export type Job<P extends TSchema = TSchema> = { name: string; payload: P; maxAttempts: number }

/** Payloads carry ids only: the task reads the current state, so that it may run late and run twice. */
function defineJob<P extends TSchema>(name: string, payload: P, maxAttempts: number): Job<P> {
  return { name, payload, maxAttempts }
}

/** Every job there is. Domain functions enqueue them, `worker/tasks/<name>.ts` does them. */
export const jobs = {
  /** 12 attempts, the last about 16 hours after the first (the queue waits e^attempt seconds, at most e^10). */
  sendPurchaseOrder: defineJob('send-purchase-order', Type.Object({ shopId: Id, outgoingMailId: Id }), 12),
}
