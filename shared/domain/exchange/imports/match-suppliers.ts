import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { Id } from '../../../schemas/common.ts'

const KnownSupplier = Type.Object({
  id: Id,
  name: Type.String(),
  externalRef: Type.String(),
  currency: Type.Union([Type.String(), Type.Null()]),
  isArchived: Type.Boolean(),
  aliases: Type.Array(Type.String()),
})
export type KnownSupplier = Static<typeof KnownSupplier>

/** "Acme ", "ACME" and "acme" are one, as in `vendorKey` of the suppliers. */
export const supplierKey = (name: string) =>
  name
    .replace(/[\s\u00a0]+/g, ' ')
    .trim()
    .toLowerCase()

export type SupplierIndex = {
  /** By external reference, name, alias; null when none fits. Several are a fault. */
  find: (ref: string, name: string) => KnownSupplier | null | { fault: string }
  byId: (id: number) => KnownSupplier | undefined
  add: (supplier: KnownSupplier) => void
}

export async function readSuppliers(tx: Db, shopId: number): Promise<SupplierIndex> {
  const suppliers = await tx.any(sql.type(row(KnownSupplier))`
    select s.id, s.name, s.external_ref, s.currency, s.archived_at is not null as is_archived,
      array(select a.vendor_name from supplier_alias a where a.shop_id = ${shopId} and a.supplier_id = s.id) as aliases
    from supplier s
    where s.shop_id = ${shopId}
    order by s.id
  `)
  const refs = new Map<string, KnownSupplier[]>()
  const named = new Map<string, KnownSupplier[]>()
  const aliased = new Map<string, KnownSupplier[]>()
  const ids = new Map<number, KnownSupplier>()
  const put = (index: Map<string, KnownSupplier[]>, key: string, supplier: KnownSupplier) => {
    if (key !== '') index.set(key, [...(index.get(key) ?? []), supplier])
  }
  const add = (supplier: KnownSupplier) => {
    ids.set(supplier.id, supplier)
    put(refs, supplier.externalRef.toLowerCase(), supplier)
    put(named, supplierKey(supplier.name), supplier)
    for (const alias of supplier.aliases) put(aliased, supplierKey(alias), supplier)
  }
  suppliers.forEach(add)
  const find: SupplierIndex['find'] = (ref, name) => {
    const key = supplierKey(name)
    for (const hits of [refs.get(ref.toLowerCase()), named.get(key), aliased.get(key)]) {
      const listed = hits?.filter(({ isArchived }) => !isArchived) ?? []
      const chosen = listed.length > 0 ? listed : (hits ?? [])
      if (chosen.length > 1)
        return {
          fault: `${chosen.length} suppliers are called ${name || ref}. Merge them first, or rename one.`,
        }
      if (chosen[0]) return chosen[0]
    }
    return null
  }
  return { find, byId: (id) => ids.get(id), add }
}
