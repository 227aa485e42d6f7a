import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../db/db.ts'
import { conflict } from '../../errors.ts'

/** An answer as it goes over the wire. */
export const Answer = Type.Object({ status: Type.Integer(), body: Type.String() })
export type Answer = Static<typeof Answer>

const KeptAnswer = Type.Object({ ...Answer.properties, isSameRequest: Type.Boolean() })

/** A key as the caller chose it, and what tells its request from another. */
export type KeyedRequest = { key: string; requestHash: Buffer }

/**
 * Has a request answered once per shop and key: `work` runs in the transaction that keeps its answer for 24 hours, and
 * whoever sends the same request with the key again gets that answer. Of two at once the second waits for the first.
 * Work that throws leaves nothing, so that the key can be used again. Like every transaction, it may run anew after a
 * deadlock. Throws idempotency_key_reused when the key belongs to another request.
 */
export function answerOnce(
  db: Db,
  shopId: number,
  { key, requestHash }: KeyedRequest,
  work: (tx: Db) => Promise<Answer>,
): Promise<Answer & { isRepeated: boolean }> {
  return db.transaction(async (tx) => {
    if (!(await claimKey(tx, shopId, key, requestHash))) {
      return { ...(await getAnswer(tx, shopId, key, requestHash)), isRepeated: true }
    }
    const { status, body } = await work(tx)
    await tx.query(sql.typeAlias('void')`
      update idempotency_key set status = ${status}, body = ${body} where shop_id = ${shopId} and key = ${key}
    `)
    return { status, body, isRepeated: false }
  })
}

/** Waits while another transaction works on the key. A key that is too old is claimed as if it were not there. */
async function claimKey(tx: Db, shopId: number, key: string, requestHash: Buffer): Promise<boolean> {
  const claimed = await tx.maybeOne(sql.typeAlias('id')`
    insert into idempotency_key as k (shop_id, key, request_hash)
    values (${shopId}, ${key}, ${sql.binary(requestHash)})
    on conflict (shop_id, key) do update
    set request_hash = excluded.request_hash, created_at = now()
    where k.created_at <= now() - interval '24 hours'
    returning shop_id as id
  `)
  return claimed !== null
}

/** Of a key that could not be claimed: the attempt has locked its row, so it is there and answered. */
async function getAnswer(tx: Db, shopId: number, key: string, requestHash: Buffer): Promise<Answer> {
  const { isSameRequest, ...answer } = await tx.one(sql.type(row(KeptAnswer))`
    select status, body, request_hash = ${sql.binary(requestHash)} as is_same_request
    from idempotency_key
    where shop_id = ${shopId} and key = ${key}
  `)
  if (!isSameRequest) {
    throw conflict(
      'This Idempotency-Key was sent with another request already. Use a new one.',
      'idempotency_key_reused',
    )
  }
  return answer
}
