import { type Db, row, sql } from '../../../db/db.ts'
import { notFound, unprocessable } from '../../../errors.ts'
import {
  CreatedStockTransfer,
  StockTransfer,
  type StockTransferInput,
  type StockTransferItemInput,
} from '../../../schemas/stock-transfers.ts'
import { binAt } from '../../ledgers/stock/bins/bins.ts'
import { resolveLevelKeys } from '../../ledgers/stock/resolve.ts'
import { variantTitle } from '../../records/catalogue/variants.ts'
import { isPlanEnded } from './plan-end.ts'

/** Creates a pending transfer; stock is not checked yet. Throws same_location and the errors of `resolveLevelKeys`. */
export function createStockTransfer(
  db: Db,
  shopId: number,
  actor: string,
  input: StockTransferInput,
): Promise<CreatedStockTransfer> {
  return db.transaction(async (tx) => {
    requireTwoLocations(input)
    const { variants, locations } = await resolveTransfer(tx, shopId, input)
    const [source = 0, destination = 0] = locations
    const { notes } = input
    return insertTransfer(
      tx,
      shopId,
      { source, destination, notes: notes ?? '', actor },
      input.items.map(({ quantity }, at) => [variants[at] ?? 0, quantity]),
    )
  })
}

/** Writes a pending transfer; `items` are row ids of variants with their quantities. */
export function insertTransfer(
  tx: Db,
  shopId: number,
  {
    source,
    destination,
    notes,
    actor,
  }: { source: number; destination: number; notes: string; actor: string },
  items: readonly (readonly [variant: number, quantity: number])[],
): Promise<CreatedStockTransfer> {
  return tx.one(sql.type(row(CreatedStockTransfer))`
    with created as (
      insert into stock_transfer (
        shop_id, source_location_id, destination_location_id, notes, item_count, created_by
      )
      values (${shopId}, ${source}, ${destination}, ${notes}, ${items.length}, ${actor})
      returning id, status, created_at
    ),
    items as (
      insert into stock_transfer_item (shop_id, transfer_id, position, variant_id, quantity)
      select ${shopId}, created.id, item.position, item.variant_id, item.quantity
      from created, ${itemRows(items)}
    )
    select id, status, created_at from created
  `)
}

/** A transfer with its items. Throws not_found. */
export async function getStockTransfer(db: Db, shopId: number, id: number): Promise<StockTransfer> {
  const transfer = await db.maybeOne(sql.type(row(StockTransfer))`
    select t.id, s.gid as source_location_id, s.name as source_location_name, d.gid as destination_location_id,
      d.name as destination_location_name, t.status, t.item_count, t.notes, t.created_by, t.created_at, t.updated_at,
      t.shipped_at, t.completed_at, t.cancelled_at, t.version, ${isPlanEnded(shopId, sql.fragment`t.id`)} as is_plan_ended,
      (
        select coalesce(jsonb_agg(jsonb_build_object(
          'variantId', v.gid, 'sku', v.sku, 'barcode', v.barcode, 'title', ${variantTitle('v', 'p')},
          'quantity', i.quantity, 'shipped', i.shipped, 'received', i.received, 'lost', i.lost, 'damaged', i.damaged,
          'returned', i.returned, 'inTransit', i.in_transit,
          'sourceBin', ${binAt(shopId, sql.fragment`i.variant_id`, sql.fragment`t.source_location_id`)},
          'destinationBin', ${binAt(shopId, sql.fragment`i.variant_id`, sql.fragment`t.destination_location_id`)}
        ) order by i.position), '[]')
        from stock_transfer_item i
        join variant v on v.shop_id = ${shopId} and v.id = i.variant_id
        join product p on p.shop_id = ${shopId} and p.id = v.product_id
        where i.shop_id = ${shopId} and i.transfer_id = t.id
      ) as items
    from stock_transfer t
    join location s on s.shop_id = ${shopId} and s.id = t.source_location_id
    join location d on d.shop_id = ${shopId} and d.id = t.destination_location_id
    where t.shop_id = ${shopId} and t.id = ${id}
  `)
  if (!transfer) throw notFound('Stock transfer')
  return transfer
}

/** Row ids of the variants, in the order of the items, and of [source, destination]. */
export function resolveTransfer(
  tx: Db,
  shopId: number,
  {
    sourceLocationId,
    destinationLocationId,
    items,
  }: Pick<StockTransferInput, 'sourceLocationId' | 'destinationLocationId' | 'items'>,
) {
  return resolveLevelKeys(tx, shopId, {
    variants: items.map(({ variantId }, at) => ({ id: variantId, path: `/items/${at}/variantId` })),
    locations: [
      { id: sourceLocationId, path: '/sourceLocationId' },
      { id: destinationLocationId, path: '/destinationLocationId' },
    ],
  })
}

/** SQL row source `item` (position, variant_id, quantity); `variants` are the row ids of the items' variants. */
export const transferItems = (items: readonly StockTransferItemInput[], variants: readonly number[]) =>
  itemRows(items.map(({ quantity }, at) => [variants[at] ?? 0, quantity]))

function itemRows(items: readonly (readonly [variant: number, quantity: number])[]) {
  const rows = items.map((item, position) => [position, ...item])
  return sql.fragment`
    ${sql.unnest(rows, ['int4', 'int8', 'int4'])} as item (position, variant_id, quantity)
  `
}

/** Throws same_location, with the path of the destination. */
export function requireTwoLocations(
  { sourceLocationId, destinationLocationId }: Omit<StockTransferInput, 'items' | 'notes'>,
  path = '/destinationLocationId',
): void {
  if (sourceLocationId !== destinationLocationId) return
  const fault = { path, message: 'is also the source location' }
  throw unprocessable(
    'same_location',
    'Source and destination are the same location. Choose another destination.',
    [fault],
  )
}
