import type { Db } from '../../../../db/db.ts'
import type { ImportFault } from '../../../../schemas/import-fault.ts'
import type { ImportedPrices, PriceImport } from '../../../../schemas/supplier-prices.ts'
import { importRows } from '../../../kit/csv/import-rows.ts'
import { readRows } from '../../../kit/csv/importer.ts'
import { readRanks } from '../named-products.ts'
import { overlaps, type Price, withPrice, withUndatedPrice } from '../prices.ts'
import { isChanged, type ProductToWrite, writeProducts } from '../write-products.ts'
import { type Candidates, readCandidates } from './names.ts'
import { type PriceColumn, type PriceRow, priceFile } from './price-file.ts'
import { findProduct } from './products.ts'
import { readShopOf } from './shop.ts'

/**
 * Imports a price list, all rows or none, as `importRows` does. Several rows may give prices of one product for different quantities or
 * days. A price without dates holds from today until the next later price of the file or the product begins, and the price before
 * it ends yesterday.
 */
export const importPrices = (
  db: Db,
  shopId: number,
  { csv, dryRun, supplierId }: PriceImport,
): Promise<ImportedPrices> =>
  importRows(db, dryRun, async (tx) => {
    const file = readRows(csv, priceFile(supplierId !== undefined))
    const faulty = new Set(file.faults.map(({ row }) => row))
    const rows = file.rows.filter(({ row }) => !faulty.has(row))
    const candidates = await readCandidates(tx, shopId, rows, { supplierId, isLocking: !dryRun })
    const shop = await readShopOf(tx, shopId)
    const { products, faults } = mergeRows(rows, candidates, shop, supplierId)
    const stored = new Map(candidates.stored.map((product) => [product.id, product]))
    const due = products.filter((product) => {
      const before = product.id === null ? undefined : stored.get(product.id)
      return !before || isChanged(product, before)
    })
    const created = due.filter(({ id }) => id === null).length
    const counts = { created, updated: due.length - created, unchanged: products.length - due.length }
    return {
      file,
      faults,
      nothing: { created: 0, updated: 0, unchanged: 0 },
      preview: () => counts,
      write: async () => {
        await writeProducts(tx, shopId, await withRanks(tx, shopId, due), stored)
        return counts
      },
    }
  })

/** Rank 0 stands for a new product whose row names none. */
async function withRanks(tx: Db, shopId: number, products: ProductToWrite[]): Promise<ProductToWrite[]> {
  const nextRank = await readRanks(
    tx,
    shopId,
    products.filter(({ rank }) => rank === 0).map(({ variantId }) => variantId),
  )
  return products.map((product) =>
    product.rank === 0 ? { ...product, rank: nextRank(product.variantId) } : product,
  )
}

type Shop = Awaited<ReturnType<typeof readShopOf>>

/** A price without dates has today as its only day here: how long it holds depends on the others. */
type GivenPrice = { row: number; price: Price; isUndated: boolean }

/** The values of the rows of one product, each with the row that gave it first. */
type Draft = {
  product: ProductToWrite
  saidBy: Map<string, { row: number; value: unknown }>
  given: GivenPrice[]
}

const maxPrices = 100
const productFields = ['packSize', 'minimumQuantity', 'quantityMultiple', 'leadTimeDays', 'rank'] as const

function mergeRows(
  rows: readonly PriceRow[],
  candidates: Candidates,
  shop: Shop,
  supplierId: number | undefined,
): { products: ProductToWrite[]; faults: ImportFault[] } {
  const faults: ImportFault[] = []
  const drafts = new Map<string, Draft>()
  const keyOfId = new Map<number, string>()
  for (const read of rows) {
    const blame = (field: PriceColumn, message: string) => faults.push({ row: read.row, field, message })
    const found = findProduct(read, candidates, supplierId, blame)
    if (!found) continue
    const draft = drafts.get(found.key) ?? { product: found.product, saidBy: new Map(), given: [] }
    drafts.set(found.key, draft)
    const owner = found.product.id === null ? found.key : (keyOfId.get(found.product.id) ?? found.key)
    if (found.product.id !== null) keyOfId.set(found.product.id, owner)
    if (owner !== found.key) blame('supplierSku', 'is missing in another row of the product')
    const say = <C extends 'supplierTitle' | 'packBarcode' | (typeof productFields)[number]>(
      column: C,
      value: ProductToWrite[C] | undefined,
    ) => {
      if (value === undefined) return
      const said = draft.saidBy.get(column)
      if (said && said.value !== value) blame(column, `differs from row ${said.row}`)
      draft.saidBy.set(column, said ?? { row: read.row, value })
      draft.product[column] = value
    }
    for (const column of productFields) say(column, read.fields[column])
    say('supplierTitle', read.fields.supplierTitle)
    say('packBarcode', read.fields.packBarcode)
    addPrice(draft, read, shop, blame)
  }
  for (const draft of drafts.values()) faults.push(...applyPrices(draft, shop.day))
  return { products: [...drafts.values()].map(({ product }) => product), faults }
}

function addPrice(
  { product, given }: Draft,
  { row, fields }: PriceRow,
  shop: Shop,
  blame: (column: 'price' | 'validTo', message: string) => void,
): void {
  const { price: amount, minQuantity = 1, validFrom, validTo = null } = fields
  if (amount === undefined) return
  const currency = fields.currency ?? shop.currencyOf.get(product.supplierId) ?? shop.currency
  const added = { minQuantity, price: amount, currency, source: 'import' as const }
  const hasOlder = [...product.prices, ...given.map(({ price }) => price)].some(
    (old) => old.minQuantity === minQuantity && old.currency === currency,
  )
  const from = validFrom ?? (hasOlder ? shop.day : null)
  if (from !== null && validTo !== null && validTo < from) {
    blame('validTo', 'is over')
    return
  }
  const isUndated = validFrom === undefined && validTo === null
  const days = isUndated ? { validFrom: shop.day, validTo: shop.day } : { validFrom: from, validTo }
  const price: Price = { ...added, ...days }
  const twin = given.find((other) => overlaps(other.price, price))
  if (twin) {
    blame('price', `is for the same quantity and days as row ${twin.row}`)
    return
  }
  given.push({ row, price, isUndated })
}

/** Adds the prices of the rows to the product, those without dates last, since they end when the next one begins. */
function applyPrices({ product, given }: Draft, day: string): ImportFault[] {
  const message = `is one too many: a product has at most ${maxPrices} prices`
  const datedFirst = given.toSorted((a, b) => Number(a.isUndated) - Number(b.isUndated))
  return datedFirst.flatMap(({ row, price, isUndated }) => {
    product.prices = isUndated
      ? withUndatedPrice(product.prices, price, day)
      : withPrice(product.prices, price)
    return product.prices.length > maxPrices ? [{ row, field: 'price', message }] : []
  })
}
