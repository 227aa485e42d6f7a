import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { AppError, notFound, unprocessable } from '../../../errors.ts'
import { Id } from '../../../schemas/common.ts'
import type { RevertedStockImport, StockImportRevert } from '../../../schemas/stock-imports.ts'
import { moveStock } from '../../ledgers/stock/move.ts'
import { variantTitle } from '../../records/catalogue/variants.ts'

const Reverted = Type.Object({ id: Id, changedCount: Type.Integer() })
type Reverted = Static<typeof Reverted>
const Change = Type.Object({ variantId: Id, locationId: Id, delta: Type.Integer() })

const Count = Type.Object({ changed: Type.Integer(), skipped: Type.Integer() })
type Count = Static<typeof Count>

const ShortLevel = Type.Object({ name: Type.String(), location: Type.String(), quantity: Type.Integer() })
const maxFaults = 50

/**
 * Takes back what an import changed, and nothing that happened since. Example: the import set 10 to 25, then 4 were sold; the
 * revert takes 15 off, which leaves 6. `skipped` counts levels that stay: those of products that are gone or no longer
 * tracked, and of locations that are no longer in use. Throws not_found, and insufficient_stock with the first 50 levels.
 */
export function revertStockImport(
  db: Db,
  shopId: number,
  id: number,
  actor: string,
  { allowNegative = false }: NonNullable<StockImportRevert>,
  now: string,
): Promise<RevertedStockImport> {
  return db.transaction(async (tx) => {
    const reverted: Reverted | null = await tx.maybeOne(sql.type(row(Reverted))`
      update stock_import
      set reverted_at = ${now}, reverted_by = ${actor}
      where shop_id = ${shopId} and id = ${id} and reverted_at is null
      returning id, changed_count
    `)
    if (!reverted) return alreadyReverted(tx, shopId, id)
    const changed = await moveStock(
      tx,
      shopId,
      { kind: 'delta', form: 'adjust', reference: `stock_import/${id}`, actor, allowNegative },
      (await readChanges(tx, shopId, id)).map(({ variantId, locationId, delta }) => ({
        ...{ variantId, locationId, delta: -delta },
        reason: `Stock import #${id} reverted`,
      })),
    ).catch(async (error: unknown) => {
      const isShort = error instanceof AppError && error.code === 'insufficient_stock'
      throw isShort ? await insufficientStock(tx, shopId, id) : error
    })
    await tx.query(sql.typeAlias('void')`
      update stock_import set reverted_count = ${changed} where shop_id = ${shopId} and id = ${id}
    `)
    const skipped = reverted.changedCount - changed
    return { id, changed, skipped, alreadyApplied: false, message: 'The import is reverted.' }
  })
}

/** SQL: joins the changes `c` of imports `i` whose product `v` is tracked and whose location `w` is in use. */
const joinRevertible = (shopId: number) => sql.fragment`
  cross join unnest(i.variant_ids, i.location_ids, i.deltas) as c (variant_id, location_id, delta)
  join variant v on v.shop_id = ${shopId} and v.id = c.variant_id and v.deleted_at is null and v.is_tracked
  join location w on w.shop_id = ${shopId} and w.id = c.location_id and w.is_active
`

const readChanges = (tx: Db, shopId: number, id: number) =>
  tx.any(sql.type(row(Change))`
    select c.variant_id, c.location_id, c.delta
    from stock_import i
    ${joinRevertible(shopId)}
    where i.shop_id = ${shopId} and i.id = ${id}
    order by c.variant_id, c.location_id
  `)

/** Names the levels, which `moveStock` has locked. They are no fields of the request, so the faults have no path. */
async function insufficientStock(tx: Db, shopId: number, id: number): Promise<AppError> {
  const short = await tx.any(sql.type(row(ShortLevel))`
    select coalesce(nullif(v.sku, ''), ${variantTitle('v', 'p')}) as name, w.name as location,
      greatest(l.quantity, 0) as quantity
    from stock_import i
    ${joinRevertible(shopId)}
    join product p on p.shop_id = ${shopId} and p.id = v.product_id
    join stock_level l on l.shop_id = ${shopId} and l.variant_id = c.variant_id and l.location_id = c.location_id
    where i.shop_id = ${shopId} and i.id = ${id} and l.quantity - c.delta < least(l.quantity, 0)
    order by name, location
    limit ${maxFaults}
  `)
  return unprocessable(
    'insufficient_stock',
    'Some of these pieces are no longer in stock. Send allowNegative to revert anyway.',
    short.map(({ name, location, quantity }) => ({
      path: '',
      message: `${name} at ${location}: only ${quantity} in stock`,
    })),
  )
}

async function alreadyReverted(tx: Db, shopId: number, id: number): Promise<RevertedStockImport> {
  const found: Count | null = await tx.maybeOne(sql.type(row(Count))`
    select coalesce(reverted_count, changed_count) as changed,
      changed_count - coalesce(reverted_count, changed_count) as skipped
    from stock_import where shop_id = ${shopId} and id = ${id}
  `)
  if (!found) throw notFound('Stock import')
  return { id, ...found, alreadyApplied: true, message: 'The import was reverted before.' }
}
