import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { Id } from '../../../schemas/common.ts'
import { noonOrInstant } from '../../kit/date-range.ts'

/** An adjustment of another system. `at` is a text as `noonOrInstant` reads it. */
export type ImportedAdjustment = {
  /** Its place in the file. */
  position: number
  variantId: number
  locationId: number | null
  at: string
  quantity: number
  before: number | null
  after: number | null
  reason: string
  notes: string
  /** In hex; the same adjustment again has the same one. */
  fingerprint: string
}

const Stored = Type.Object({ id: Id, fingerprint: Type.String(), isNew: Type.Boolean() })

/** Inserts the adjustments that the shop does not have. No stock moves. Returns each adjustment, new or known. */
export async function storePastAdjustments(
  tx: Db,
  shopId: number,
  importId: number,
  adjustments: readonly ImportedAdjustment[],
): Promise<readonly Static<typeof Stored>[]> {
  if (adjustments.length === 0) return []
  const records = adjustments.map(({ variantId, locationId, ...each }) => ({
    ...each,
    variant_id: variantId,
    location_id: locationId,
  }))
  return tx.any(sql.type(row(Stored))`
    with n as materialized (
      select *
      from jsonb_to_recordset(${JSON.stringify(records)}::jsonb) as n (
        position int, variant_id bigint, location_id bigint, at text, quantity int, before int, after int, reason text,
        notes text, fingerprint text
      )
    ),
    added as (
      insert into past_adjustment (
        shop_id, import_id, variant_id, location_id, adjusted_at, quantity, previous_quantity, new_quantity, reason, notes,
        fingerprint
      )
      select ${shopId}, ${importId}, variant_id, location_id, ${noonOrInstant(shopId, sql.fragment`n.at`)}, quantity, before, after, reason, notes,
        decode(fingerprint, 'hex')
      from n
      order by position
      on conflict (shop_id, fingerprint) do nothing
      returning id, encode(fingerprint, 'hex') as fingerprint
    )
    select id, fingerprint, true as is_new from added
    union all
    select a.id, n.fingerprint, false
    from n
    join past_adjustment a on a.shop_id = ${shopId} and a.fingerprint = decode(n.fingerprint, 'hex')
  `)
}

/** Deletes adjustments of an import. */
export async function deletePastAdjustments(
  tx: Db,
  shopId: number,
  importId: number,
  ids: readonly number[],
): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    delete from past_adjustment
    where shop_id = ${shopId} and import_id = ${importId} and id = any(${sql.array([...ids], 'int8')})
  `)
}
