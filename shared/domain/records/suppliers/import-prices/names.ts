import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../../db/db.ts'
import { unprocessable } from '../../../../errors.ts'
import { Id } from '../../../../schemas/common.ts'
import { matchVariants, VariantsByName, type variantColumns, variantsByName } from '../../../kit/csv/names.ts'
import { readStoredProducts, type StoredProduct } from '../write-products.ts'
import type { PriceRow } from './price-file.ts'

const Named = Type.Object({ id: Id, name: Type.String() })

/** Ids by the words of the rows. A word without an entry is unknown; one with several is ambiguous. */
export type Candidates = {
  supplier: ReadonlyMap<string, number[]>
  variant: Record<(typeof variantColumns)[number], ReadonlyMap<string, number[]>>
  stored: readonly StoredProduct[]
}

/**
 * Reads what the rows name, in four statements. A supplier has its name and its aliases, without regard to capitals.
 * Locks the suppliers if `isLocking`. Throws unknown_supplier when the supplier of the request is not listed.
 */
export async function readCandidates(
  tx: Db,
  shopId: number,
  rows: readonly PriceRow[],
  { supplierId, isLocking }: { supplierId: number | undefined; isLocking: boolean },
): Promise<Candidates> {
  const named = await readSuppliers(tx, shopId, rows)
  const given = supplierId === undefined ? [] : [supplierId]
  const supplierIds = [...new Set([...given, ...named.map(({ id }) => id)])]
  const listed = await readListed(tx, shopId, supplierIds, isLocking)
  if (supplierId !== undefined && !listed.includes(supplierId)) {
    const details = [{ path: '/supplierId', message: 'is not a supplier of this shop' }]
    throw unprocessable('unknown_supplier', 'This supplier does not exist.', details)
  }
  const variants = await tx.one(sql.type(row(VariantsByName))`
    with ${matchVariants(shopId, rows)}
    select ${variantsByName}
  `)
  const variantIds = [...variants.variantId, ...variants.sku, ...variants.barcode].map(({ id }) => id)
  const words = (of: (row: PriceRow) => string | undefined) =>
    sql.array([...new Set(rows.flatMap((read) => of(read) ?? []))], 'text')
  const stored = await readStoredProducts(
    tx,
    shopId,
    listed,
    sql.fragment`
      x.variant_id = any(${sql.array([...new Set(variantIds)], 'int8')})
      or x.supplier_sku = any(${words(({ fields }) => fields.supplierSku)})
      or x.pack_barcode = any(${words(({ names }) => names.barcode)})
    `,
  )
  return {
    supplier: idsByName(named.filter(({ id }) => listed.includes(id))),
    variant: {
      variantId: idsByName(variants.variantId),
      sku: idsByName(variants.sku),
      barcode: idsByName(variants.barcode),
    },
    stored,
  }
}

const idsByName = (named: readonly { id: number; name: string }[]) =>
  new Map([...Map.groupBy(named, ({ name }) => name)].map(([name, all]) => [name, all.map(({ id }) => id)]))

function readSuppliers(tx: Db, shopId: number, rows: readonly PriceRow[]) {
  const names = sql.array([...new Set(rows.flatMap((read) => read.names.supplier ?? []))], 'text')
  return tx.any(sql.type(row(Named))`
    select s.id, given.name
    from unnest(${names}) as given (name)
    join supplier s on s.shop_id = ${shopId} and s.archived_at is null and lower(s.name) = lower(given.name)
    union
    select a.supplier_id, given.name
    from unnest(${names}) as given (name)
    join supplier_alias a on a.shop_id = ${shopId} and lower(a.vendor_name) = lower(given.name)
  `)
}

function readListed(tx: Db, shopId: number, ids: readonly number[], isLocking: boolean) {
  return tx.anyFirst(sql.typeAlias('id')`
    select id from supplier
    where shop_id = ${shopId} and id = any(${sql.array([...ids], 'int8')}) and archived_at is null
    order by id
    ${isLocking ? sql.fragment`for no key update` : sql.fragment``}
  `)
}
