import { createHash } from 'node:crypto'
import { type Db, sql } from '../../../db/db.ts'
import type { TransferEvent, TransferStep } from '../../../schemas/stock-transfers.ts'
import type { LockedTransfer } from './apply-event.ts'

/*
 * A repeated request changes nothing and returns the event of the first. The event keeps the fingerprint and the idempotency key of
 * its request. Repeated is
 * - an equal request with the same key, at any time: the stored answer of a key lasts 24 hours (`answerOnce`), but a device may
 *   repeat a request whose answer was lost when its page is opened again;
 * - without a key, an equal request of the same person within 10 seconds: a double click.
 */

/** What a request is recognised by. */
export type RequestMark = { fingerprint: Buffer; key: string | undefined }

/** The fingerprint of a request; `numbers` are what it says about the goods. */
export const fingerprintOf = (kind: TransferEvent['kind'], numbers: unknown): Buffer =>
  createHash('sha256')
    .update(JSON.stringify([kind, numbers]))
    .digest()

/**
 * The step that the same request made before, of a transfer that the caller has locked. To be asked before what is left
 * is checked, since that request may have taken it.
 */
export async function findRepeated(
  tx: Db,
  shopId: number,
  { id, status }: Pick<LockedTransfer, 'id' | 'status'>,
  actor: string,
  { fingerprint, key }: RequestMark,
): Promise<TransferStep | null> {
  const isRepeated =
    key === undefined
      ? sql.fragment`actor = ${actor} and reversed_at is null and occurred_at > now() - interval '10 seconds'`
      : sql.fragment`idempotency_key = ${key}`
  const event = await tx.maybeOne(sql.typeAlias('id')`
    select id
    from stock_transfer_event
    where shop_id = ${shopId} and transfer_id = ${id} and fingerprint = ${sql.binary(fingerprint)}
      and ${isRepeated}
    order by id desc
    limit 1
  `)
  return event && { id, status, eventId: event.id }
}
