import { Type } from '@sinclair/typebox'
import type { FragmentSqlToken } from 'slonik'
import { type Db, row, sql } from '../../../db/db.ts'
import { unprocessable } from '../../../errors.ts'

/** SQL for a name as it is stored: trimmed, with single spaces. */
export const tidyName = (name: FragmentSqlToken) =>
  sql.fragment`btrim(regexp_replace(${name}, '[\\s\u00a0]+', ' ', 'g'))`

/** SQL for the key of a vendor: "Acme ", "ACME" and "acme" are one. */
export const vendorKey = (name: FragmentSqlToken) => sql.fragment`lower(${tidyName(name)})`

const Taken = Type.Object({ at: Type.Integer() })

/**
 * Replaces the aliases of a supplier by this full list; returns whether it differs. The caller must have locked the
 * supplier. Throws alias_taken with every name of another supplier.
 */
export async function saveAliases(
  tx: Db,
  shopId: number,
  supplierId: number,
  names: readonly string[],
): Promise<boolean> {
  const given = sql.fragment`
    (
      select at, ${tidyName(sql.fragment`name`)} as name
      from unnest(${sql.array([...names], 'text')}) with ordinality as input (name, at)
    )
  `
  const removed = await tx.anyFirst(sql.typeAlias('id')`
    delete from supplier_alias a
    where a.shop_id = ${shopId} and a.supplier_id = ${supplierId}
      and not exists (select from ${given} g where lower(g.name) = lower(a.vendor_name))
    returning a.id
  `)
  const added = await tx.anyFirst(sql.typeAlias('id')`
    insert into supplier_alias (shop_id, supplier_id, vendor_name)
    select distinct on (lower(g.name)) ${shopId}::bigint, ${supplierId}::bigint, g.name
    from ${given} g
    order by lower(g.name), g.at
    on conflict (shop_id, lower(vendor_name)) do nothing
    returning id
  `)
  const taken = await tx.any(sql.type(row(Taken))`
    select (g.at - 1)::int as at
    from ${given} g
    join supplier_alias a on a.shop_id = ${shopId} and lower(a.vendor_name) = lower(g.name)
    where a.supplier_id <> ${supplierId}
    order by g.at
  `)
  if (taken.length > 0) {
    throw unprocessable(
      'alias_taken',
      'Another supplier has this vendor name. Remove it there first.',
      taken.map(({ at }) => ({ path: `/aliases/${at}`, message: 'is a name of another supplier' })),
    )
  }
  return removed.length + added.length > 0
}

/**
 * Keeps the name of a supplier that gets another one as an alias, so that files and vendors with the old name still find it.
 * A name of another supplier is left to that one. Must come before the new name is stored.
 */
export async function keepOldName(
  tx: Db,
  shopId: number,
  supplierId: number,
  newName: string,
): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    insert into supplier_alias (shop_id, supplier_id, vendor_name)
    select ${shopId}, s.id, ${tidyName(sql.fragment`s.name`)}
    from supplier s
    where s.shop_id = ${shopId} and s.id = ${supplierId}
      and ${vendorKey(sql.fragment`s.name`)} <> ${vendorKey(sql.fragment`${newName}::text`)}
      and not exists (
        select from supplier other
        where other.shop_id = ${shopId} and other.id <> s.id
          and ${vendorKey(sql.fragment`other.name`)} = ${vendorKey(sql.fragment`s.name`)}
      )
    on conflict (shop_id, lower(vendor_name)) do nothing
  `)
}
