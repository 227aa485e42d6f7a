import { type Db, sql } from '../../../db/db.ts'
import { AppError, conflict, type Fault, notFound, unprocessable } from '../../../errors.ts'
import type {
  SavedSupplierProducts,
  SupplierPriceInput,
  SupplierProduct,
  SupplierProductInput,
  SupplierProductPatch,
  SupplierProductRow,
  SupplierProductRows,
} from '../../../schemas/supplier-products.ts'
import { findVariants, readExisting, readRanks, readShop, type Shop } from './named-products.ts'
import { isSaidBy, overlappingPrices, type Price, priceOn, withUndatedPrice } from './prices.ts'
import { getSupplierProduct } from './products.ts'
import { lockSupplier } from './suppliers.ts'
import {
  isChanged,
  type ProductToWrite,
  productKey,
  type StoredProduct,
  writeProducts,
} from './write-products.ts'

/** A change of a product, with the path of its row in the request. A change with `isNew` creates one. */
type Change = Partial<SupplierProductRow> & { path: string; isNew?: boolean }

type Code = keyof typeof messages
type CodedFault = Fault & { code: Code }

const messages = {
  unknown_variant: 'A product in this request is not in this shop.',
  unknown_supplier_product: 'This supplier does not have such a product.',
  duplicate_supplier_product:
    'The supplier already has this product under this supplier SKU. Change that one instead.',
  overlapping_prices:
    'Two prices for the same quantity and currency are valid on the same day. Change the days of one.',
  invalid_period: 'A price ends before it begins. Correct its days.',
}

/** Adds a product. Throws not_found, conflict (same variant and supplier SKU), and the errors of `applyChanges`. */
export function createSupplierProduct(
  db: Db,
  shopId: number,
  supplierId: number,
  input: SupplierProductInput,
): Promise<SupplierProduct> {
  return db.transaction(async (tx) => {
    const { ids } = await applyChanges(tx, shopId, supplierId, [{ ...input, path: '', isNew: true }])
    return getSupplierProduct(tx, shopId, ids[0] ?? 0)
  })
}

/**
 * Changes the given fields; `prices` is the full list. `version` stays when nothing changes. Throws not_found,
 * stale_version when `version` is not the current one, and the errors of `applyChanges`.
 */
export function updateSupplierProduct(
  db: Db,
  shopId: number,
  supplierId: number,
  id: number,
  patch: SupplierProductPatch,
): Promise<SupplierProduct> {
  return db.transaction(async (tx) => {
    await lockSupplier(tx, shopId, supplierId)
    const isKnown = await tx.exists(sql.typeAlias('void')`
      select 1 from supplier_product where shop_id = ${shopId} and supplier_id = ${supplierId} and id = ${id}
    `)
    if (!isKnown) throw notFound('Product of the supplier')
    await applyChanges(tx, shopId, supplierId, [{ ...patch, id, path: '' }])
    return getSupplierProduct(tx, shopId, id)
  })
}

/** Adds and changes products of a supplier, all or none. Throws not_found, and every fault of every row. */
export function saveSupplierProducts(
  db: Db,
  shopId: number,
  supplierId: number,
  { products }: SupplierProductRows,
): Promise<SavedSupplierProducts> {
  const changes = products.map((product, at) => ({ ...product, path: `/products/${at}` }))
  return db.transaction(async (tx) => {
    const { created, updated, unchanged } = await applyChanges(tx, shopId, supplierId, changes)
    return { created, updated, unchanged }
  })
}

/**
 * Throws stale_version with the rows that others have changed, duplicate_supplier_product, and the codes of `messages`
 * with every fault.
 */
async function applyChanges(tx: Db, shopId: number, supplierId: number, changes: readonly Change[]) {
  await lockSupplier(tx, shopId, supplierId)
  const shop = await readShop(tx, shopId, supplierId)
  const variantOf = await findVariants(tx, shopId, changes)
  const existing = await readExisting(tx, shopId, supplierId, changes, variantOf)
  const byId = new Map(existing.map((product) => [product.id, product]))
  const byKey = new Map(existing.map((product) => [productKey(product), product]))
  const nextRank = await readRanks(
    tx,
    shopId,
    [...variantOf.values()].map(({ id }) => id),
  )
  const faults: CodedFault[] = []
  const stale: Fault[] = []
  const rowOfKey = new Map<string, string>()
  const storedIds = new Set<number>()

  const products = changes.flatMap((change): ProductToWrite[] => {
    const { path } = change
    const blame = (code: Code, field: string, message: string) =>
      faults.push({ code, path: `${path}/${field}`, message })
    const ofId = change.id === undefined ? undefined : byId.get(change.id)
    if (change.id !== undefined && !ofId) {
      blame('unknown_supplier_product', 'id', 'is not a product of this supplier')
      return []
    }
    const variant = change.variantId === undefined ? undefined : variantOf.get(change.variantId)
    const variantId = change.variantId === undefined ? ofId?.variantId : variant?.id
    const key = {
      supplierId,
      variantId: variantId ?? 0,
      supplierSku: change.supplierSku ?? ofId?.supplierSku ?? '',
    }
    const stored = ofId ?? byKey.get(productKey(key))
    // a deleted variant keeps its rows and gets no new one
    if (variantId === undefined || (variant?.isDeleted && stored?.variantId !== variantId)) {
      blame('unknown_variant', 'variantId', 'is not a variant of this shop')
      return []
    }
    const holder = byKey.get(productKey(key))
    const isTaken = holder !== undefined && (change.isNew || holder.id !== stored?.id)
    const first = rowOfKey.get(productKey(key))
    if (isTaken) blame('duplicate_supplier_product', 'supplierSku', 'is already listed for this product')
    if (first !== undefined)
      blame('duplicate_supplier_product', 'supplierSku', `repeats the product and supplier SKU of ${first}`)
    rowOfKey.set(productKey(key), path)
    if (stored && storedIds.has(stored.id) && first === undefined)
      blame('duplicate_supplier_product', 'id', 'is in the list twice')
    if (stored) storedIds.add(stored.id)
    if (stored && change.version !== undefined && change.version !== stored.version)
      stale.push({ path: `${path}/version`, message: `is not the current one, ${stored.version}` })
    const product = merge(change, stored, key, () => nextRank(variantId))
    const prices = mergePrices(change, product.prices, shop, blame)
    return [{ ...product, prices }]
  })
  if (stale.length > 0) {
    const message = 'These products have changed in the meantime. Reload them before you save.'
    throw new AppError('conflict', 'stale_version', message, stale)
  }
  refuse(faults, changes)
  const due = products.filter((product) => {
    const stored = product.id === null ? undefined : byId.get(product.id)
    return !stored || isChanged(product, stored)
  })
  const written = await writeProducts(tx, shopId, due, byId)
  const created = due.filter(({ id }) => id === null).length
  return {
    ids: written,
    created,
    updated: due.length - created,
    unchanged: products.length - due.length,
  }
}

function refuse(faults: readonly CodedFault[], changes: readonly Change[]): void {
  const [first] = faults
  if (!first) return
  if (changes[0]?.isNew && first.code === 'duplicate_supplier_product')
    throw conflict(messages[first.code], first.code)
  const details = faults.map(({ path, message }) => ({ path, message }))
  throw unprocessable(first.code, messages[first.code], details)
}

/** The stored product with the given fields; a new one gets defaults. */
function merge(
  change: Change,
  stored: StoredProduct | undefined,
  key: Pick<StoredProduct, 'supplierId' | 'variantId' | 'supplierSku'>,
  nextRank: () => number,
): ProductToWrite {
  const given = <T>(value: T | undefined, kept: T | undefined, fallback: T): T =>
    value === undefined ? (kept ?? fallback) : value
  return {
    ...key,
    id: stored?.id ?? null,
    supplierTitle: given(change.supplierTitle, stored?.supplierTitle, '') ?? '',
    packSize: given(change.packSize, stored?.packSize, 1),
    minimumQuantity: given(change.minimumQuantity, stored?.minimumQuantity, null),
    quantityMultiple: given(change.quantityMultiple, stored?.quantityMultiple, 1),
    leadTimeDays: given(change.leadTimeDays, stored?.leadTimeDays, null),
    rank: change.rank ?? stored?.rank ?? nextRank(),
    isActive: given(change.isActive, stored?.isActive, true),
    packBarcode: given(change.packBarcode, stored?.packBarcode, '') ?? '',
    prices: stored?.prices ?? [],
  }
}

/** The full list of the request, if it has one; then the new price of today. */
function mergePrices(
  change: Change,
  stored: Price[],
  shop: Shop,
  blame: (code: Code, field: string, message: string) => void,
): Price[] {
  const prices = change.prices?.map((price) => toPrice(price, shop, stored)) ?? stored
  if (change.prices) {
    for (const [at, { validFrom, validTo }] of prices.entries()) {
      if (validFrom !== null && validTo !== null && validTo < validFrom)
        blame('invalid_period', `prices/${at}/validTo`, 'must not be before validFrom')
    }
    for (const at of overlappingPrices(prices))
      blame('overlapping_prices', `prices/${at}`, 'is valid on the same days as an earlier price of the list')
  }
  if (change.price === undefined) return prices
  const currency = change.currency ?? shop.currency
  const today = priceOn(prices, shop.day, currency)
  const minQuantity = today?.minQuantity ?? 1
  return withUndatedPrice(prices, { minQuantity, price: change.price, currency, source: 'typed' }, shop.day)
}

/** A price keeps its source when only its days become fewer. */
function toPrice(
  { minQuantity = 1, price, currency, validFrom = null, validTo = null }: SupplierPriceInput,
  shop: Shop,
  stored: readonly Price[],
): Price {
  const given = { minQuantity, price, currency: currency ?? shop.currency, validFrom, validTo }
  const typed: Price = { ...given, source: 'typed' }
  const origin = stored.find((one) => isSaidBy(typed, one))
  return origin ? { ...typed, source: origin.source } : typed
}
