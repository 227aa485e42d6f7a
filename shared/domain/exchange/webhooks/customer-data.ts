import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { Id } from '../../../schemas/common.ts'
import { projectBody } from '../../kit/webhook-fields/projection.ts'

/*
 * The previous release stored whole bodies of webhooks, with customers' data. These functions project them, in
 * any state: a job that still has to apply one finds the fields that it reads.
 */

const maxPerBatch = 200
/** All bodies of a batch are in memory at the same time. */
const maxBytesPerBatch = 4 * 1024 * 1024

/** The shops with deliveries that are stored whole. */
export function findUnprojected(db: Db): Promise<readonly number[]> {
  return db.anyFirst(sql.typeAlias('id')`
    select distinct shop_id as id from webhook_delivery where not is_projected order by id
  `)
}

const Stored = Type.Object({ id: Id, topic: Type.String(), payload: Type.Unsafe<Buffer>(Type.Any()) })

/** Projects a batch of the shop's deliveries that are stored whole, oldest first. Returns their number, 0 after the last. */
export function projectBatch(db: Db, shopId: number): Promise<number> {
  return db.transaction(async (tx) => {
    // in the order in which jobs lock them
    const stored = await tx.any(sql.type(row(Stored))`
      select id, topic, payload
      from webhook_delivery
      where shop_id = ${shopId} and not is_projected and id in (
        select id
        from (
          select id, sum(octet_length(payload)) over (order by id) - octet_length(payload) as bytes_before
          from (
            select id, payload
            from webhook_delivery
            where shop_id = ${shopId} and not is_projected
            order by id
            limit ${maxPerBatch}
          ) oldest
        ) sized
        where bytes_before < ${maxBytesPerBatch}
      )
      order by id
      for update
    `)
    if (stored.length === 0) return 0
    const rows = stored.map(({ id, topic, payload }) => [id, projectBody(topic, payload).toString('utf8')])
    await tx.query(sql.typeAlias('void')`
      update webhook_delivery d
      set payload = convert_to(p.body, 'UTF8'), is_projected = true
      from ${sql.unnest(rows, ['int8', 'text'])} as p (id, body)
      where d.shop_id = ${shopId} and d.id = p.id
    `)
    return stored.length
  })
}
