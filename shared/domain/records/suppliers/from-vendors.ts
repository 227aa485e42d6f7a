import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { Id } from '../../../schemas/common.ts'
import {
  VendorSupplier,
  type VendorSuppliers,
  type VendorSuppliersInput,
} from '../../../schemas/suppliers.ts'
import { tidyName, vendorKey } from './aliases.ts'

/** A supplier with its vendors: the keys that compare them, and the spellings of each. */
const Planned = Type.Object({
  ...Type.Omit(VendorSupplier, ['vendors']).properties,
  keys: Type.Array(Type.String()),
  spellings: Type.Array(Type.Array(Type.String())),
})
type Planned = Static<typeof Planned>

const maxListed = 1_000

/**
 * Makes suppliers, aliases and supplier products of the vendors of the shop's products:
 *
 * 1. Spellings of a vendor that differ in spaces and capitals are one. `names` may count a vendor as another supplier.
 * 2. A listed supplier with that alias or name is used; else an archived one, which stays archived and gets nothing; else
 *    one is created.
 *    `emails` has its address.
 * 3. The supplier gets the vendor as an alias, and every variant of the vendor's products that it does not sell yet.
 *
 * A second run changes nothing. The answer lists at most 1 000 suppliers; its counts are of all.
 */
export function createSuppliersFromVendors(
  db: Db,
  shopId: number,
  { dryRun, names = [], emails = [] }: VendorSuppliersInput,
): Promise<VendorSuppliers> {
  return db.transaction(async (tx) => {
    if (!dryRun) {
      // two runs at once would create each supplier twice
      await tx.query(sql.typeAlias('void')`
        select from pg_advisory_xact_lock(hashtextextended('suppliers_from_vendors', ${shopId}::bigint))
      `)
      // a supplier that is deleted meanwhile would have no row for its products
      await tx.query(sql.typeAlias('void')`
        select from supplier where shop_id = ${shopId} order by id for no key update
      `)
    }
    const plan = await readPlan(tx, shopId, names)
    const suppliers = dryRun ? plan : await carryOut(tx, shopId, plan, emails)
    const countOf = (outcome: Planned['outcome']) =>
      suppliers.filter((supplier) => supplier.outcome === outcome).length
    const sumOf = (field: 'newAliases' | 'newProducts') =>
      suppliers.reduce((sum, supplier) => sum + supplier[field], 0)
    return {
      suppliersCreated: countOf('created'),
      suppliersMatched: countOf('matched'),
      aliasesCreated: sumOf('newAliases'),
      productsCreated: sumOf('newProducts'),
      suppliers: suppliers.slice(0, maxListed).map(({ keys: _keys, spellings, ...supplier }) => ({
        ...supplier,
        vendors: spellings.flat(),
      })),
    }
  })
}

function readPlan(
  tx: Db,
  shopId: number,
  names: NonNullable<VendorSuppliersInput['names']>,
): Promise<readonly Planned[]> {
  const rows = names.map(({ vendor, supplier }) => [vendor, supplier])
  return tx.any(sql.type(row(Planned))`
    with spelling as materialized (
      select p.vendor, ${vendorKey(sql.fragment`p.vendor`)} as key, count(*) as products
      from product p
      where p.shop_id = ${shopId} and p.deleted_at is null and p.vendor <> ''
      group by p.vendor
    ),
    named as (
      select distinct on (key) key, name
      from (
        select ${vendorKey(sql.fragment`vendor`)} as key, ${tidyName(sql.fragment`supplier`)} as name
        from ${sql.unnest(rows, ['text', 'text'])} as given (vendor, supplier)
      ) given
      order by key, name
    ),
    vendor as (
      select s.key, coalesce(n.name, ${tidyName(sql.fragment`(array_agg(s.vendor order by s.products desc, s.vendor))[1]`)}) as name,
        array_agg(s.vendor order by s.products desc, s.vendor) as spellings, sum(s.products)::int as products
      from spelling s
      left join named n on n.key = s.key
      where s.key <> ''
      group by s.key, n.name
    ),
    known as (
      select lower(a.vendor_name) as key, a.supplier_id, case when s.archived_at is null then 0 else 2 end as place
      from supplier_alias a
      join supplier s on s.shop_id = ${shopId} and s.id = a.supplier_id
      where a.shop_id = ${shopId}
      union all
      select ${vendorKey(sql.fragment`s.name`)}, s.id, case when s.archived_at is null then 1 else 3 end
      from supplier s
      where s.shop_id = ${shopId}
    ),
    matched as (
      select distinct on (key) key, supplier_id from known order by key, place, supplier_id
    ),
    variant_count as materialized (
      select s.key, count(*)::int as variants,
        count(*) filter (where m.supplier_id is null or not exists (
          select from supplier_product x
          where x.shop_id = ${shopId} and x.supplier_id = m.supplier_id and x.variant_id = v.id
        ))::int as missing
      from spelling s
      join vendor on vendor.key = s.key
      left join matched m on m.key = lower(vendor.name)
      join product p on p.shop_id = ${shopId} and p.vendor = s.vendor and p.deleted_at is null
      join variant v on v.shop_id = ${shopId} and v.product_id = p.id and v.deleted_at is null
      group by s.key
    )
    select s.id as supplier_id,
      coalesce(min(s.name), left((array_agg(vendor.name order by vendor.products desc, vendor.key))[1], 200))
        as supplier_name,
      case when s.id is null then 'created' when s.archived_at is null then 'matched' else 'archived' end as outcome,
      array_agg(vendor.key order by vendor.key) as keys,
      jsonb_agg(to_jsonb(vendor.spellings) order by vendor.products desc, vendor.key) as spellings,
      sum(vendor.products)::int as product_count,
      case when s.archived_at is null then count(*) filter (where alias.id is null)::int else 0 end as new_aliases,
      case when s.archived_at is null then coalesce(sum(c.missing), 0)::int else 0 end as new_products
    from vendor
    left join matched m on m.key = lower(vendor.name)
    left join supplier s on s.shop_id = ${shopId} and s.id = m.supplier_id
    left join supplier_alias alias on alias.shop_id = ${shopId} and lower(alias.vendor_name) = vendor.key
    left join variant_count c on c.key = vendor.key
    group by s.id, s.archived_at, case when s.id is null then lower(vendor.name) end
    order by supplier_name, s.id
  `)
}

/** Three statements, for any number of vendors. */
async function carryOut(
  tx: Db,
  shopId: number,
  plan: readonly Planned[],
  emails: NonNullable<VendorSuppliersInput['emails']>,
): Promise<readonly Planned[]> {
  const missing = plan.filter(({ outcome }) => outcome === 'created')
  const emailOf = new Map(emails.map(({ vendor, email }) => [plainVendor(vendor), email]))
  const rowsToCreate = missing.map(({ supplierName, spellings }) => [
    supplierName,
    spellings.flat().flatMap((vendor) => emailOf.get(plainVendor(vendor)) ?? [])[0] ?? '',
  ])
  const created = await tx.any(sql.type(row(Type.Object({ id: Id, name: Type.String() })))`
    insert into supplier (shop_id, name, email)
    select ${shopId}::bigint, name, email
    from ${sql.unnest(rowsToCreate, ['text', 'text'])} with ordinality as given (name, email, at)
    order by at
    returning id, name
  `)
  const idOf = new Map(created.map(({ id, name }) => [name, id]))
  const suppliers = plan.map((supplier) => ({
    ...supplier,
    supplierId: supplier.supplierId ?? idOf.get(supplier.supplierName) ?? null,
  }))
  const rows = suppliers
    .filter(({ outcome }) => outcome !== 'archived')
    .flatMap(({ supplierId, spellings }) => spellings.flat().map((vendor) => [supplierId, vendor]))
  const vendors = sql.fragment`${sql.unnest(rows, ['int8', 'text'])} as given (supplier_id, vendor)`
  await tx.query(sql.typeAlias('void')`
    insert into supplier_alias (shop_id, supplier_id, vendor_name)
    select distinct on (${vendorKey(sql.fragment`given.vendor`)}) ${shopId}::bigint, given.supplier_id,
      ${tidyName(sql.fragment`given.vendor`)}
    from ${vendors}
    order by ${vendorKey(sql.fragment`given.vendor`)}, given.vendor
    on conflict (shop_id, lower(vendor_name)) do nothing
  `)
  await tx.query(sql.typeAlias('void')`
    insert into supplier_product (shop_id, supplier_id, variant_id, rank)
    select ${shopId}::bigint, given.supplier_id, v.id, least(99, 1 + coalesce((
      select max(x.rank) from supplier_product x where x.shop_id = ${shopId} and x.variant_id = v.id
    ), 0))
    from ${vendors}
    join product p on p.shop_id = ${shopId} and p.vendor = given.vendor and p.deleted_at is null
    join variant v on v.shop_id = ${shopId} and v.product_id = p.id and v.deleted_at is null
    where not exists (
      select from supplier_product x
      where x.shop_id = ${shopId} and x.supplier_id = given.supplier_id and x.variant_id = v.id
    )
    order by v.id
    on conflict on constraint supplier_product_is_unique do nothing
  `)
  return suppliers
}

/** As `vendorKey` compares vendors. */
const plainVendor = (vendor: string) => vendor.replace(/\s+/g, ' ').trim().toLowerCase()
