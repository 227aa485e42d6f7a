import { type Static, Type } from '@sinclair/typebox'
import type { FragmentSqlToken } from 'slonik'
import { type Db, row, sql } from '../../../db/db.ts'
import {
  maxSameCode,
  type VariantCodes,
  type VariantMatches,
  VariantWithCode,
} from '../../../schemas/variants.ts'
import { hasBarcode, hasPackBarcode, hasSku } from '../../records/catalogue/has-code.ts'
import { variantTitle } from '../../records/catalogue/variants.ts'
import { costOfNewLine } from '../../records/supplier-prices/cost-of-new-line.ts'
import { unknownSupplier } from '../../records/suppliers/unknown-supplier.ts'

const Hit = Type.Composite([VariantWithCode, Type.Object({ at: Type.Integer(), count: Type.Integer() })])
type Hit = Static<typeof Hit>

/**
 * Finds the variants of codes, all in one statement and in the order of the codes. A SKU decides before a barcode; where a
 * variant has the code in the same capitals, and with the same leading zeros, the others do not count. Leaves out deleted and
 * unconfirmed ones. With `packs`, a code that is neither may be the barcode of a pack of any supplier. Throws unknown_supplier.
 */
export async function findVariantsByCode(
  db: Db,
  shopId: number,
  { codes, supplierId, packs = false }: VariantCodes,
): Promise<VariantMatches> {
  if (supplierId !== undefined) {
    const isKnown = await db.exists(sql.typeAlias('void')`
      select from supplier where shop_id = ${shopId} and id = ${supplierId}
    `)
    if (!isKnown) throw unknownSupplier()
  }
  const usable = sql.fragment`v.deleted_at is null and v.confirmed_at is not null`
  const hits = await db.any(sql.type(row(Hit))`
    with wanted as materialized (
      select at, given, lower(given) as code, scan_code(given) as barcode
      from ${sql.unnest(
        codes.map((code, at) => [at, code]),
        ['int4', 'text'],
      )} as input (at, given)
    ),
    of_sku as materialized (
      select w.at, v.id, v.sku = w.given as is_same
      from wanted w
      join variant v on v.shop_id = ${shopId} and ${hasSku('v', 'w')}
      where ${usable}
    ),
    of_variant as materialized (
      select at, id, is_same, 1 as pack_size from of_sku
      union all
      select w.at, v.id, v.barcode = w.given, 1
      from wanted w
      join variant v on v.shop_id = ${shopId} and ${hasBarcode('v', 'w')}
      where ${usable} and not exists (select from of_sku s where s.at = w.at)
    ),
    hit as (
      select * from of_variant
      ${packs ? sql.fragment`union all ${ofPacks(shopId, usable)}` : sql.fragment``}
    ),
    best as (
      select at, id, pack_size, rank() over (partition by at order by is_same desc) as rank from hit
    ),
    counted as (
      select at, id, pack_size, row_number() over (partition by at order by id) as number, count(*) over (partition by at) as count
      from best
      where rank = 1
    )
    select c.at, c.count, v.gid as variant_id, p.gid as product_id, v.sku, v.barcode,
      ${variantTitle('v', 'p')} as title, ${costOfNewLine(shopId, sql.fragment`v`, supplierId)} as cost_price,
      v.is_tracked, c.pack_size
    from counted c
    join variant v on v.shop_id = ${shopId} and v.id = c.id
    join product p on p.shop_id = ${shopId} and p.id = v.product_id
    where c.number <= ${maxSameCode}
    order by c.at, c.id
  `)
  const byCode = Map.groupBy(hits, ({ at }) => at)
  return codes.map((code, at) => {
    const found: readonly Hit[] = byCode.get(at) ?? []
    return {
      code,
      count: found[0]?.count ?? 0,
      variants: found.map(({ at: _, count: __, ...variant }) => variant),
    }
  })
}

/** SQL: the variants whose pack has a code of `wanted`; of several packs of one variant, an active one decides, as in a scan. */
const ofPacks = (shopId: number, usable: FragmentSqlToken) => sql.fragment`
  select w.at, v.id, s.pack_barcode = w.given, s.pack_size
  from wanted w
  cross join lateral (
    select distinct on (p.variant_id) p.variant_id, p.pack_barcode, p.pack_size
    from supplier_product p
    where p.shop_id = ${shopId} and ${hasPackBarcode('p', 'w')}
    order by p.variant_id, p.is_active desc, p.rank, p.id
  ) s
  join variant v on v.shop_id = ${shopId} and v.id = s.variant_id
  where ${usable} and not exists (select from of_variant o where o.at = w.at)
`
