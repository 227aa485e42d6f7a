import { createHash } from 'node:crypto'
import { type Db, sql } from '../../db/db.ts'
import type { TransferEvent, TransferStep } from '../../schemas/stock-transfers.ts'
import type { LockedTransfer } from './apply-event.ts'

/*
 * A request without an idempotency key that equals one of the same person in the last 10 seconds counts as a double click: it
 * changes nothing and returns the event of the first. The event keeps the request's fingerprint.
 */

/** The fingerprint of a request; `numbers` are what it says about the goods. */
export const fingerprintOf = (kind: TransferEvent['kind'], numbers: unknown): Buffer =>
  createHash('sha256')
    .update(JSON.stringify([kind, numbers]))
    .digest()

/**
 * The step that an equal recent request made of a transfer that the caller has locked. To be asked before what is
 * left is checked, since that request may have taken it.
 */
export async function findRepeated(
  tx: Db,
  shopId: number,
  { id, status }: Pick<LockedTransfer, 'id' | 'status'>,
  actor: string,
  fingerprint: Buffer,
): Promise<TransferStep | null> {
  const event = await tx.maybeOne(sql.typeAlias('id')`
    select id
    from stock_transfer_event
    where shop_id = ${shopId} and transfer_id = ${id} and fingerprint = ${sql.binary(fingerprint)}
      and actor = ${actor} and reversed_at is null and occurred_at > now() - interval '10 seconds'
    order by id desc
    limit 1
  `)
  return event && { id, status, eventId: event.id }
}
