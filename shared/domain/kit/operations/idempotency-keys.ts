import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { AppError, conflict } from '../../../errors.ts'

export const Answer = Type.Object({ status: Type.Integer(), body: Type.String() })
export type Answer = Static<typeof Answer>

const StoredAnswer = Type.Object({ ...Answer.properties, isSameRequest: Type.Boolean() })

type KeyedRequest = { key: string; requestHash: Buffer }

/**
 * Runs `work` once per shop and key, in the transaction that stores its answer for 24 hours. A repeated request gets
 * that answer; a concurrent one waits for it. When `work` throws, the key is free again, and what it wrote is undone,
 * except for a `not_yet` error; after a deadlock it may run again. Throws idempotency_key_reused when the key was used
 * for another request.
 */
export async function answerOnce(
  db: Db,
  shopId: number,
  { key, requestHash }: KeyedRequest,
  work: (tx: Db) => Promise<Answer>,
): Promise<Answer & { isRepeated: boolean }> {
  const outcome = await db.transaction(async (tx) => {
    if (!(await claimKey(tx, shopId, key, requestHash))) {
      return { ...(await getAnswer(tx, shopId, key, requestHash)), isRepeated: true }
    }
    try {
      const { status, body } = await work(tx)
      await tx.query(sql.typeAlias('void')`
        update idempotency_key set status = ${status}, body = ${body} where shop_id = ${shopId} and key = ${key}
      `)
      return { status, body, isRepeated: false }
    } catch (error) {
      if (!(error instanceof AppError && error.kind === 'not_yet')) throw error
      await tx.query(sql.typeAlias('void')`
        delete from idempotency_key where shop_id = ${shopId} and key = ${key}
      `)
      return error
    }
  })
  if (outcome instanceof AppError) throw outcome
  return outcome
}

/** Returns false when the key is in use; waits while another transaction has it. An expired key can be claimed. */
async function claimKey(tx: Db, shopId: number, key: string, requestHash: Buffer): Promise<boolean> {
  const claimed = await tx.maybeOne(sql.typeAlias('id')`
    insert into idempotency_key as k (shop_id, key, request_hash)
    values (${shopId}, ${key}, ${sql.binary(requestHash)})
    on conflict (shop_id, key) do update
    set request_hash = excluded.request_hash, created_at = excluded.created_at
    where k.created_at <= excluded.created_at - interval '24 hours'
    returning shop_id as id
  `)
  return claimed !== null
}

async function getAnswer(tx: Db, shopId: number, key: string, requestHash: Buffer): Promise<Answer> {
  const { isSameRequest, ...answer } = await tx.one(sql.type(row(StoredAnswer))`
    select status, body, request_hash = ${sql.binary(requestHash)} as is_same_request
    from idempotency_key
    where shop_id = ${shopId} and key = ${key}
  `)
  if (!isSameRequest) {
    throw conflict(
      'This Idempotency-Key was already used for another request. Use a new one.',
      'idempotency_key_reused',
    )
  }
  return answer
}
