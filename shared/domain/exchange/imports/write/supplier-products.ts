import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { type Db, row, sql } from '../../../../db/db.ts'
import { Id } from '../../../../schemas/common.ts'
import { SupplierProductInput } from '../../../../schemas/supplier-products.ts'
import { isSamePrice, overlappingPrices, type Price } from '../../../records/suppliers/prices.ts'
import {
  isChanged,
  type ProductToWrite,
  productKey,
  readStoredProducts,
  type StoredProduct,
  writeProducts,
} from '../../../records/suppliers/write-products.ts'
import { readerOf, type SourceRow, type Terms, type Unit, type UnitWriter } from '../load.ts'
import { readSuppliers } from '../match-suppliers.ts'
import type { Made, Outcome } from '../outcomes.ts'
import { amountText } from '../read/amount-text.ts'

type Planned = { unit: Unit; product: ProductToWrite; stored: StoredProduct | null }

/**
 * Products of suppliers with their prices. An existing product keeps its values, gets what is empty, and the prices that
 * do not overlap its own. Rows of one product are one record: each may have a price. The rank of the file holds for a variant
 * that the shop had from no supplier; another gets the product as the last one, so the preferred supplier of the shop stays.
 */
export const writeSupplierProducts: UnitWriter = async (tx, terms, units, match) => {
  const { shopId } = terms
  const outcomes: Outcome[] = []
  const fail = ({ rows }: Unit, message: string) => {
    for (const { position } of rows) outcomes.push({ position, state: 'fault', message })
  }
  const suppliers = await readSuppliers(tx, shopId)
  const reads: { unit: Unit; read: ProductToWrite; isOwnRank: boolean; given: ReadonlySet<string> }[] = []
  for (const unit of units) {
    const [first] = unit.rows
    if (!first) continue
    const supplier = suppliers.find(first.cell('supplierId'), first.cell('supplier'))
    const chosen = supplier ?? (terms.defaults.supplierId ? suppliers.byId(terms.defaults.supplierId) : null)
    const variant = match(first)
    if (!chosen) fail(unit, 'No supplier has this name. Import the suppliers first, or choose one.')
    else if ('fault' in chosen) fail(unit, chosen.fault)
    else if ('fault' in variant) fail(unit, variant.fault)
    else if (variant.isDeleted) fail(unit, 'This product is deleted.')
    else {
      const read = readProduct(unit.rows, terms, chosen.currency)
      if ('fault' in read) fail(unit, read.fault)
      else {
        const { fields, given } = read
        const product = { ...fields, id: null, supplierId: chosen.id, variantId: variant.id }
        reads.push({ unit, read: product, isOwnRank: given.has('rank'), given })
      }
    }
  }
  const products = reads.map(({ read }) => read)
  // a dry run may take minutes, and its result is not stored
  if (!terms.isDryRun) await lockSuppliers(tx, shopId, products)
  const stored = await readKnown(tx, shopId, products)
  const { ranks, taken } = await readRanks(
    tx,
    terms,
    reads.map(({ read }) => read.variantId),
  )
  const planned: Planned[] = []
  const seen = new Set<string>()
  for (const { unit, read, isOwnRank, given } of reads) {
    const key = productKey(read)
    if (seen.has(key)) {
      fail(unit, 'An earlier row has the same product of this supplier.')
      continue
    }
    seen.add(key)
    const known = stored.get(key) ?? null
    const isFree = isOwnRank && !taken.has(read.variantId)
    const rank = known?.rank ?? (isFree ? read.rank : Math.min((ranks.get(read.variantId) ?? 0) + 1, 99))
    if (!known) ranks.set(read.variantId, Math.max(ranks.get(read.variantId) ?? 0, rank))
    const product = known ? completed(known, read, given) : { ...read, rank }
    planned.push({ unit, product, stored: known })
  }
  const due = planned.filter(({ product, stored: known }) => !known || isChanged(product, known))
  const byId = new Map([...stored.values()].map((each) => [each.id, each]))
  const ids = await writeProducts(
    tx,
    shopId,
    due.map(({ product }) => product),
    byId,
  )
  const idOf = new Map(due.map((each, at) => [each, ids[at] ?? 0]))
  const made: Made[] = due.flatMap((each) =>
    each.stored ? [] : [{ target: 'supplier_product', targetId: idOf.get(each) ?? 0, version: 1 }],
  )
  for (const each of planned) {
    const state = !each.stored ? 'new' : idOf.has(each) ? 'changed' : 'same'
    const targetId = each.stored?.id ?? idOf.get(each) ?? null
    const message = state === 'changed' ? changesOf(each) : ''
    for (const { position } of each.unit.rows)
      outcomes.push({ position, state, message, target: 'supplier_product', targetId })
  }
  return { outcomes, made }
}

const defaults = {
  supplierTitle: '',
  packSize: 1,
  minimumQuantity: null,
  quantityMultiple: 1,
  leadTimeDays: null,
  rank: 1,
  isActive: true,
  packBarcode: '',
}
type Fields = Omit<ProductToWrite, 'id' | 'supplierId' | 'variantId'>

/** What an existing product gets, by the names of the file's columns: "Filled in: Pack size 6 instead of 1." */
function changesOf({ unit: { rows }, product, stored }: Planned): string {
  if (!stored) return ''
  const fields = (Object.keys(defaults) as (keyof typeof defaults)[]).filter(
    (field) => product[field] !== stored[field],
  )
  const filled = fields.map((field) => {
    const column = rows.find((each) => each.cell(field) !== '')?.column(field) ?? field
    const before = stored[field] === null || stored[field] === '' ? '' : ` instead of ${stored[field]}`
    return `${column} ${product[field]}${before}`
  })
  const added = product.prices.filter((price) => !stored.prices.some((other) => isSamePrice(price, other)))
  const prices = added.map((each) => `${amountText(each.price, each.currency)} from ${each.minQuantity}`)
  return [
    filled.length > 0 && `Filled in: ${filled.join(', ')}.`,
    prices.length > 0 && `Prices added: ${prices.join(', ')}.`,
  ]
    .filter(Boolean)
    .join(' ')
}

/** The fields of a product from its rows: of each, the first row that has it. `given`: the fields that the file has. */
function readProduct(
  rows: readonly SourceRow[],
  { currency: shopCurrency }: Terms,
  supplierCurrency: string | null,
): { fields: Fields; given: ReadonlySet<string> } | { fault: string } {
  const texts = { supplierSku: 200, supplierTitle: 500, packBarcode: 100 } as const
  const numbers = ['packSize', 'minimumQuantity', 'quantityMultiple', 'leadTimeDays', 'rank'] as const
  const found: Record<string, string | number | boolean> = {}
  const prices: Price[] = []
  for (const each of rows) {
    const cells = readerOf(each)
    for (const [field, max] of Object.entries(texts)) found[field] ||= cells.text(field, max)
    for (const field of numbers) {
      const value = cells.number(field, each.column(field))
      if (value !== null) found[field] ??= value
    }
    if (each.cell('isActive') !== '') found.isActive ??= cells.flag('isActive')
    const price = readPrice(each, supplierCurrency ?? shopCurrency)
    const fault = cells.faults[0] ?? (price && 'fault' in price ? price.fault : undefined)
    if (fault) return { fault }
    if (price && !('fault' in price)) prices.push(price)
  }
  for (const [field, value] of Object.entries(found)) {
    const schema = SupplierProductInput.properties[field as keyof typeof SupplierProductInput.properties]
    if (value === '' || !schema || Value.Check(schema, value)) continue
    const column = rows.find((each) => each.cell(field) !== '')?.column(field) ?? field
    return { fault: `${column} "${String(value).slice(0, 40)}" ${String(schema.rule ?? 'is not valid')}.` }
  }
  if (overlappingPrices(prices).length > 0)
    return { fault: 'Two prices of this product are for the same quantity on the same days. Remove one.' }
  const fields = { ...defaults, supplierSku: '', ...found, prices } as Fields
  return { fields, given: new Set(Object.keys(found).filter((field) => found[field] !== '')) }
}

const sources = ['typed', 'order', 'receipt'] as const

function readPrice(each: SourceRow, fallback: string): Price | { fault: string } | null {
  const cells = readerOf(each)
  const price = cells.number('price', 'Price', 1_000_000_000)
  const minQuantity = cells.number('fromQuantity', 'From quantity') ?? 1
  const validFrom = cells.day('validFrom', 'Valid from')?.slice(0, 10) ?? null
  const validTo = cells.day('validTo', 'Valid to')?.slice(0, 10) ?? null
  // a row without a price needs no currency
  const currency = (price !== null && cells.currency()) || fallback
  const [fault] = cells.faults
  if (fault) return { fault }
  if (price === null) return null
  if (!Number.isInteger(minQuantity) || minQuantity < 1)
    return { fault: 'From quantity must be a whole number from 1 on.' }
  if (validFrom !== null && validTo !== null && validTo < validFrom)
    return { fault: 'The price ends before it begins.' }
  return {
    minQuantity,
    price: Math.round(price * 10_000) / 10_000,
    currency,
    validFrom,
    validTo,
    source: sources.find((source) => source === each.cell('source')) ?? 'import',
  }
}

/** The stored product, with the values of the file in its empty fields. */
function completed(known: StoredProduct, read: ProductToWrite, given: ReadonlySet<string>): ProductToWrite {
  const { version: _version, ...product } = known
  const lacking = Object.entries(defaults).filter(
    ([field, empty]) =>
      field !== 'rank' &&
      field !== 'isActive' &&
      given.has(field) &&
      known[field as keyof typeof defaults] === empty,
  )
  const filled = lacking.map(([field]) => [field, read[field as keyof typeof defaults]])
  const added = read.prices.filter((price) => overlappingPrices([...known.prices, price]).length === 0)
  return { ...product, ...Object.fromEntries(filled), prices: [...known.prices, ...added] }
}

/** As a change of their products by the merchant does. */
async function lockSuppliers(tx: Db, shopId: number, products: readonly ProductToWrite[]): Promise<void> {
  const ids = sql.array([...new Set(products.map(({ supplierId }) => supplierId))], 'int8')
  await tx.query(sql.typeAlias('void')`
    select from supplier where shop_id = ${shopId} and id = any(${ids}) order by id for no key update
  `)
}

async function readKnown(tx: Db, shopId: number, products: readonly ProductToWrite[]) {
  const ids = [...new Set(products.map(({ supplierId }) => supplierId))]
  const variants = sql.array([...new Set(products.map(({ variantId }) => variantId))], 'int8')
  const stored = await readStoredProducts(tx, shopId, ids, sql.fragment`x.variant_id = any(${variants})`)
  return new Map(stored.map((each) => [productKey(each), each]))
}

const Rank = Type.Object({ variantId: Id, rank: Type.Integer(), isTaken: Type.Boolean() })

/** The last rank of each variant, and the variants that have a product which this import did not make. */
async function readRanks(
  tx: Db,
  { shopId, importId }: Pick<Terms, 'shopId' | 'importId'>,
  variantIds: readonly number[],
): Promise<{ ranks: Map<number, number>; taken: Set<number> }> {
  const found = await tx.any(sql.type(row(Rank))`
    select x.variant_id, max(x.rank) as rank, bool_or(t.target_id is null) as is_taken
    from supplier_product x
    left join import_target t on t.shop_id = ${shopId} and t.import_id = ${importId} and t.target = 'supplier_product'
      and t.target_id = x.id
    where x.shop_id = ${shopId} and x.variant_id = any(${sql.array([...new Set(variantIds)], 'int8')})
    group by x.variant_id
  `)
  return {
    ranks: new Map(found.map(({ variantId, rank }) => [variantId, rank])),
    taken: new Set(found.flatMap(({ variantId, isTaken }) => (isTaken ? [variantId] : []))),
  }
}
