import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../../db/db.ts'
import { tidyName } from '../aliases.ts'

/** `at` is the position of the row of the file. */
export type ImportedContact = {
  at: number
  supplierId: number
  name: string
  email: string
  phone: string
  role: string
}

const Added = Type.Object({ at: Type.Integer() })

/** Adds contacts that the suppliers do not have; returns the positions of the rows of suppliers that got one. */
export async function addImportedContacts(
  tx: Db,
  shopId: number,
  contacts: readonly ImportedContact[],
): Promise<number[]> {
  if (contacts.length === 0) return []
  const rows = contacts.map(({ at, supplierId, name, email, phone, role }) => [
    at,
    supplierId,
    name,
    email,
    phone,
    role,
  ])
  const added = await tx.any(sql.type(row(Added))`
    with given as materialized (
      select distinct on (supplier_id, lower(name), lower(email)) *
      from ${sql.unnest(rows, ['int4', 'int8', 'text', 'text', 'text', 'text'])} with ordinality
        as n (at, supplier_id, name, email, phone, role, place)
      order by supplier_id, lower(name), lower(email), place
    ),
    added as (
      insert into supplier_contact (shop_id, supplier_id, name, email, phone, role)
      select ${shopId}::bigint, supplier_id, name, email, phone, role
      from given g
      where not exists (
        select from supplier_contact c
        where c.shop_id = ${shopId} and c.supplier_id = g.supplier_id and lower(c.name) = lower(g.name)
          and (lower(c.email) = lower(g.email) or g.email = '')
      )
      order by place
      returning supplier_id
    )
    select distinct g.at from added a join given g on g.supplier_id = a.supplier_id
  `)
  return added.map(({ at }) => at)
}

/** The same for other names. A name of another supplier is left to that one. */
export async function addImportedAliases(
  tx: Db,
  shopId: number,
  aliases: readonly { at: number; supplierId: number; name: string }[],
): Promise<number[]> {
  if (aliases.length === 0) return []
  const rows = aliases.map(({ at, supplierId, name }) => [at, supplierId, name])
  const added = await tx.any(sql.type(row(Added))`
    with given as materialized (
      select n.at, n.supplier_id, ${tidyName(sql.fragment`n.name`)} as name
      from ${sql.unnest(rows, ['int4', 'int8', 'text'])} as n (at, supplier_id, name)
    ),
    added as (
      insert into supplier_alias (shop_id, supplier_id, vendor_name)
      select distinct on (lower(name)) ${shopId}::bigint, supplier_id, name from given where name <> '' order by lower(name), at
      on conflict (shop_id, lower(vendor_name)) do nothing
      returning supplier_id
    )
    select distinct g.at from added a join given g on g.supplier_id = a.supplier_id
  `)
  return added.map(({ at }) => at)
}
