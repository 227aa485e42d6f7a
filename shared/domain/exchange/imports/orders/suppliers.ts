import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../../db/db.ts'
import { Id } from '../../../../schemas/common.ts'
import type { Terms } from '../load.ts'
import { type KnownSupplier, type SupplierIndex, supplierKey } from '../match-suppliers.ts'
import type { Made } from '../outcomes.ts'
import type { OrderPlan } from './types.ts'
import type { Planned } from './written.ts'

/** The suppliers of orders; those that the shop does not have are added by name. */
export async function addSuppliers(
  tx: Db,
  { shopId, defaults }: Terms,
  index: SupplierIndex,
  plans: readonly Pick<Planned, 'plan'>[],
) {
  const missing = new Map<string, { name: string; ref: string; currency: string | null }>()
  const find = ({ supplierRef, supplierName }: OrderPlan) => {
    if (supplierRef !== '' || supplierName !== '') return index.find(supplierRef, supplierName)
    return (
      (defaults.supplierId && index.byId(defaults.supplierId)) || {
        fault: 'The file names no supplier. Choose one for its orders.',
      }
    )
  }
  for (const { plan } of plans) {
    if (find(plan) !== null) continue
    if (plan.supplierName !== '')
      missing.set(supplierKey(plan.supplierName), {
        name: plan.supplierName,
        ref: plan.supplierRef,
        currency: plan.currency,
      })
  }
  const records = [...missing.values()]
  const created = await tx.any(sql.type(row(Type.Object({ id: Id, name: Type.String() })))`
    insert into supplier (shop_id, name, external_ref)
    select ${shopId}::bigint, name, ref
    from ${sql.unnest(
      records.map(({ name, ref }) => [name, ref]),
      ['text', 'text'],
    )} as given (name, ref)
    returning id, name
  `)
  for (const { id, name } of created) {
    const { ref = '' } = missing.get(supplierKey(name)) ?? {}
    index.add({ id, name, externalRef: ref, currency: null, isArchived: false, aliases: [] })
  }
  const made: Made[] = created.map(({ id }) => ({
    target: 'supplier',
    targetId: id,
    version: 1,
    before: { contacts: 0, version: 1 },
  }))
  const of = (plan: OrderPlan): KnownSupplier | { fault: string } =>
    find(plan) ?? {
      fault: `No supplier has the id ${plan.supplierRef}. Import the suppliers first, or map a column with the name.`,
    }
  return { made, of }
}
