import { type Db, sql } from '../../../db/db.ts'
import type { ImportRow, ImportRowState } from '../../../schemas/imports.ts'

/** The outcome of a row. */
export type Outcome = {
  position: number
  state: ImportRowState
  message?: string
  target?: ImportRow['target']
  targetId?: number | null
}

/** `filled_…`: a record that existed before the import, which filled in some of its fields. */
export const revertedTargets = [
  'reorder_rule',
  'past_adjustment',
  'stock_count',
  'purchase_order_line',
  'filled_purchase_order',
  'purchase_order',
  'receipt',
  'supplier_product',
  'filled_supplier',
  'supplier',
  'cost',
] as const
export type RevertedTarget = (typeof revertedTargets)[number]

/** A record that a run created or filled in, for a revert. */
export type Made = {
  target: RevertedTarget
  targetId: number
  parentId?: number | null
  version?: number | null
  before?: unknown
}

const maxMessage = 500

/** Stores outcomes; a dry run stores no ids, since its records do not exist. */
export async function writeOutcomes(
  tx: Db,
  { shopId, importId }: { shopId: number; importId: number },
  outcomes: readonly Outcome[],
): Promise<void> {
  const rows = outcomes.map(({ position, state, message = '', target = null, targetId = null }) => [
    position,
    state,
    message.slice(0, maxMessage),
    target,
    targetId,
  ])
  await tx.query(sql.typeAlias('void')`
    update import_row r
    set state = given.state, message = given.message, target = given.target, target_id = given.target_id
    from ${sql.unnest(rows, ['int4', 'text', 'text', 'text', 'int8'])}
      as given (position, state, message, target, target_id)
    where r.shop_id = ${shopId} and r.import_id = ${importId} and r.position = given.position
  `)
}

export async function writeMade(
  tx: Db,
  { shopId, importId }: { shopId: number; importId: number },
  made: readonly Made[],
): Promise<void> {
  if (made.length === 0) return
  const rows = made.map(({ target, targetId, parentId = null, version = null, before }) => [
    target,
    targetId,
    parentId,
    version,
    before === undefined ? null : JSON.stringify(before),
  ])
  await tx.query(sql.typeAlias('void')`
    insert into import_target (shop_id, import_id, target, target_id, parent_id, version, before)
    select ${shopId}, ${importId}, target, target_id, parent_id, version, before::jsonb
    from ${sql.unnest(rows, ['text', 'int8', 'int8', 'int4', 'text'])}
      as given (target, target_id, parent_id, version, before)
    on conflict (shop_id, import_id, target, target_id) do nothing
  `)
}
