import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { notFound } from '../../../errors.ts'
import { codeOf } from '../../../labels/code.ts'
import { Timestamp } from '../../../schemas/common.ts'
import type { PickListDocument } from '../../../schemas/pick-list.ts'
import { chooseLanguage } from '../../../words/words.ts'
import { variantTitle } from '../../records/catalogue/variants.ts'
import { getSettings } from '../../records/shops/settings.ts'
import { isPlanEnded } from './plan-end.ts'

const Line = Type.Object({
  bin: Type.String(),
  sku: Type.String(),
  barcode: Type.String(),
  title: Type.String(),
  quantity: Type.Integer(),
  /** Pieces that are still to ship. */
  left: Type.Integer(),
})
type Line = Static<typeof Line>
const Transfer = Type.Object({
  sourceName: Type.String(),
  destinationName: Type.String(),
  createdAt: Timestamp,
  notes: Type.String(),
  lines: Type.Array(Line),
})
type Transfer = Static<typeof Transfer>

/**
 * What is left to ship of a transfer, in the order of the source's bins, with lines without a bin last; when nothing is
 * left, all its pieces. Throws not_found.
 */
export async function getPickList(db: Db, shopId: number, id: number): Promise<PickListDocument> {
  const transfer: Transfer | null = await db.maybeOne(sql.type(row(Transfer))`
    select s.name as source_name, d.name as destination_name, t.created_at, t.notes,
      (
        select coalesce(jsonb_agg(jsonb_build_object(
          'bin', coalesce(b.bin, ''), 'sku', v.sku, 'barcode', v.barcode, 'title', ${variantTitle('v', 'p')},
          'quantity', i.quantity, 'left', case when plan.is_ended then 0 else i.quantity - i.shipped end
        ) order by b.bin nulls last, i.position), '[]')
        from stock_transfer_item i
        join variant v on v.shop_id = ${shopId} and v.id = i.variant_id
        join product p on p.shop_id = ${shopId} and p.id = v.product_id
        left join location_bin b on b.shop_id = ${shopId} and b.variant_id = i.variant_id
          and b.location_id = t.source_location_id
        where i.shop_id = ${shopId} and i.transfer_id = t.id
      ) as lines
    from stock_transfer t
    join location s on s.shop_id = ${shopId} and s.id = t.source_location_id
    join location d on d.shop_id = ${shopId} and d.id = t.destination_location_id
    cross join lateral (select ${isPlanEnded(shopId, sql.fragment`t.id`)} as is_ended offset 0) plan
    where t.shop_id = ${shopId} and t.id = ${id}
  `)
  if (!transfer) throw notFound('Stock transfer')
  const { companyName, locale, timeZone, paperInUse } = await getSettings(db, shopId)
  const { lines, ...places } = transfer
  return {
    asOf: new Date().toISOString(),
    transferId: id,
    ...chooseLanguage({ language: null, country: null }, locale),
    paper: paperInUse,
    timeZone,
    shopName: companyName,
    ...places,
    lines: linesToPick(lines).map(({ barcode, ...line }) => {
      const code = codeOf({ barcode, sku: line.sku })
      return { ...line, code: typeof code === 'string' ? null : { text: code.text, bars: code.bars } }
    }),
  }
}

function linesToPick(lines: readonly Line[]): Omit<Line, 'left'>[] {
  const isOpen = lines.some(({ left }) => left > 0)
  return lines
    .map(({ left, ...line }) => ({ ...line, quantity: isOpen ? left : line.quantity }))
    .filter(({ quantity }) => quantity > 0)
}
