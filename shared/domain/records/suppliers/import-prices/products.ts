import { severalVariants, unknownName, variantColumns } from '../../../kit/csv/names.ts'
import { type ProductToWrite, productKey, type StoredProduct } from '../write-products.ts'
import type { Candidates } from './names.ts'
import type { PriceColumn, PriceRow } from './price-file.ts'

type Blame = (column: PriceColumn, message: string) => void
type Found = { key: string; product: ProductToWrite }

/**
 * The product of a row, which the barcode of its pack names, or else:
 *
 * 1. A row with supplier SKU is the product of that SKU. If there is none, it is the supplier's product of the variant
 *    that has no supplier SKU yet, and gives it its own; else it is new.
 * 2. A row without supplier SKU is the supplier's only product of the variant, or the one without supplier SKU; if the
 *    supplier does not sell the variant yet, it is new.
 *
 * Rows with the same key are of the same product. Returns undefined after a fault.
 */
export function findProduct(
  read: PriceRow,
  candidates: Candidates,
  supplierId: number | undefined,
  blame: Blame,
): Found | undefined {
  const ofSupplier = findSupplier(read, candidates, supplierId, blame)
  if (ofSupplier === undefined) return undefined
  const stored = indexOf(candidates).get(ofSupplier) ?? none
  const { supplierSku } = read.fields
  const packaged = findPackaged(read, candidates, stored)
  if (packaged) return foundStored(packaged)
  const variants = findVariants(read, candidates, blame)
  if (!variants) return undefined
  const known = supplierSku === undefined ? [] : (stored.bySku.get(supplierSku) ?? [])
  const exact = known.filter(({ variantId }) => variants.ids === null || variants.ids.includes(variantId))
  if (exact.length === 1 && exact[0]) return foundStored(exact[0])
  if (variants.ids === null) {
    const message =
      exact.length > 1
        ? 'belongs to several products: add their sku'
        : 'is not a supplier SKU of this supplier'
    blame('supplierSku', message)
    return undefined
  }
  const [variantId, ...others] = variants.ids
  if (variantId === undefined || others.length > 0) {
    blame(variants.column, severalVariants)
    return undefined
  }
  const packagings = stored.byVariant.get(variantId) ?? []
  const unnamed = packagings.find((product) => product.supplierSku === '')
  if (supplierSku !== undefined) {
    const key = { supplierId: ofSupplier, variantId, supplierSku }
    const isFree = unnamed && (stored.takenBy.get(unnamed.id) ?? supplierSku) === supplierSku
    if (!isFree) return { key: productKey(key), product: newProduct(key) }
    stored.takenBy.set(unnamed.id, supplierSku)
    return { key: productKey(key), product: { ...copyOf(unnamed), supplierSku } }
  }
  if (packagings.length > 1 && !unnamed) {
    blame(variants.column, 'is sold in several packagings: add the supplier sku')
    return undefined
  }
  const stays = unnamed ?? packagings[0]
  if (stays) return foundStored(stays)
  const key = { supplierId: ofSupplier, variantId, supplierSku: '' }
  return { key: productKey(key), product: newProduct(key) }
}

function findSupplier(
  { names }: PriceRow,
  { supplier }: Candidates,
  supplierId: number | undefined,
  blame: Blame,
): number | undefined {
  if (names.supplier === undefined) return supplierId
  const [id, ...others] = supplier.get(names.supplier) ?? []
  if (id !== undefined && others.length === 0) return id
  const message =
    id === undefined
      ? unknownName('supplier', names.supplier)
      : 'is the name of several suppliers: rename or merge them first'
  blame('supplier', message)
  return undefined
}

/** The product whose pack has the barcode of the row, when no variant has it. */
function findPackaged(
  { names }: PriceRow,
  { variant }: Candidates,
  stored: SupplierIndex,
): StoredProduct | undefined {
  const { barcode } = names
  if (barcode === undefined || names.variantId !== undefined || names.sku !== undefined) return undefined
  const packs = variant.barcode.has(barcode) ? [] : (stored.byPackBarcode.get(barcode) ?? [])
  return packs.length === 1 ? packs[0] : undefined
}

/** `ids` is null when the row has only a supplier SKU. */
function findVariants(
  { names }: PriceRow,
  { variant }: Candidates,
  blame: Blame,
): { column: PriceColumn; ids: number[] | null } | undefined {
  const column = variantColumns.find((name) => names[name] !== undefined)
  if (!column) return { column: 'supplierSku', ids: null }
  const name = names[column] ?? ''
  const ids = variant[column].get(name) ?? []
  if (ids.length > 0) return { column, ids }
  blame(column, unknownName(column, name))
  return undefined
}

/** The stored products of a supplier. `takenBy`: those without supplier SKU, with the SKU that a row gives them. */
type SupplierIndex = {
  bySku: ReadonlyMap<string, StoredProduct[]>
  byVariant: ReadonlyMap<number, StoredProduct[]>
  byPackBarcode: ReadonlyMap<string, StoredProduct[]>
  takenBy: Map<number, string>
}

const none: SupplierIndex = {
  bySku: new Map(),
  byVariant: new Map(),
  byPackBarcode: new Map(),
  takenBy: new Map(),
}

const indexes = new WeakMap<Candidates, Map<number, SupplierIndex>>()

function indexOf(candidates: Candidates): Map<number, SupplierIndex> {
  const known = indexes.get(candidates) ?? buildIndex(candidates)
  indexes.set(candidates, known)
  return known
}

function buildIndex({ stored }: Candidates): Map<number, SupplierIndex> {
  const bySupplier = Map.groupBy(stored, ({ supplierId }) => supplierId)
  return new Map(
    [...bySupplier].map(([id, products]) => [
      id,
      {
        bySku: Map.groupBy(products, ({ supplierSku }) => supplierSku),
        byVariant: Map.groupBy(products, ({ variantId }) => variantId),
        byPackBarcode: Map.groupBy(products, ({ packBarcode }) => packBarcode),
        takenBy: new Map(),
      },
    ]),
  )
}

const foundStored = (stored: StoredProduct): Found => ({ key: productKey(stored), product: copyOf(stored) })

const copyOf = ({ version: _version, prices, ...product }: StoredProduct): ProductToWrite => ({
  ...product,
  prices: [...prices],
})

const newProduct = (
  key: Pick<StoredProduct, 'supplierId' | 'variantId' | 'supplierSku'>,
): ProductToWrite => ({
  ...key,
  id: null,
  supplierTitle: '',
  packSize: 1,
  minimumQuantity: null,
  quantityMultiple: 1,
  leadTimeDays: null,
  rank: 0,
  isActive: true,
  packBarcode: '',
  prices: [],
})
