import { type Db, row, sql } from '../../../db/db.ts'
import { notFound } from '../../../errors.ts'
import type { PageQuery } from '../../../schemas/common.ts'
import { TransferEvent } from '../../../schemas/stock-transfers.ts'
import { type Page, pageSize, toPage } from '../../kit/pages/pages.ts'
import { variantTitle } from '../../records/catalogue/variants.ts'
import { currencyOf } from '../../records/shops/currency.ts'

/** What was done with a transfer, newest first, including reversed events. Throws not_found. */
export async function listTransferEvents(
  db: Db,
  shopId: number,
  transferId: number,
  query: PageQuery,
): Promise<Page<TransferEvent>> {
  const records = await db.any(sql.type(row(TransferEvent))`
    select e.id, e.kind, e.actor, e.occurred_at, e.reversed_at, coalesce(e.reversed_by, '') as reversed_by,
      detail.loss_value, detail.items
    from stock_transfer_event e
    cross join lateral (
      select
        case when bool_and(x.lost + x.damaged = 0 or x.loss_cost is not null) is not false
          then round(coalesce(sum((x.lost + x.damaged) * x.loss_cost), 0), minor_digits(${currencyOf(shopId)}))
        end as loss_value,
        coalesce(jsonb_agg(jsonb_build_object(
          'variantId', v.gid, 'sku', v.sku, 'title', ${variantTitle('v', 'p')}, 'shipped', x.shipped,
          'received', x.received, 'lost', x.lost, 'damaged', x.damaged, 'returned', x.returned
        ) order by x.position), '[]') as items
      from stock_transfer_event_item x
      join variant v on v.shop_id = ${shopId} and v.id = x.variant_id
      join product p on p.shop_id = ${shopId} and p.id = v.product_id
      where x.shop_id = ${shopId} and x.event_id = e.id
    ) detail
    where ${sql.and([
      sql.fragment`e.shop_id = ${shopId}`,
      sql.fragment`e.transfer_id = ${transferId}`,
      query.cursor !== undefined && sql.fragment`e.id < ${query.cursor}`,
    ])}
    order by e.id desc
    limit ${pageSize(query) + 1}
  `)
  if (records.length === 0) await requireTransfer(db, shopId, transferId)
  return toPage(records, query)
}

async function requireTransfer(db: Db, shopId: number, id: number): Promise<void> {
  const transfer = await db.maybeOne(sql.typeAlias('id')`
    select id from stock_transfer where shop_id = ${shopId} and id = ${id}
  `)
  if (!transfer) throw notFound('Stock transfer')
}
