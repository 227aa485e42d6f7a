import type { Db } from '../../../../db/db.ts'
import { insertImportedSuppliers } from '../../../records/suppliers/imported/suppliers.ts'
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
  const missing = new Map<string, { name: string; ref: string }>()
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
      })
  }
  const records = [...missing.values()].map(({ name, ref }, at) => ({
    at,
    name,
    columns: { external_ref: ref },
  }))
  const ids = await insertImportedSuppliers(tx, shopId, records)
  const created = records.map(({ at, name, columns }) => ({
    id: ids.get(at) ?? 0,
    name,
    externalRef: columns.external_ref,
  }))
  for (const each of created) index.add({ ...each, currency: null, isArchived: false, aliases: [] })
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
