import type {
  PurchaseOrder,
  PurchaseOrderInput,
  PurchaseOrderLinePatch,
  PurchaseOrderPatch,
} from '../../../../../shared/schemas/purchase-orders.ts'
import { dayOf, endOfDay } from '../../../components/shop/shop-days.ts'

/** A line in the form; an empty field is `''`. An undefined one is as in the supplier's catalogue. */
export type DraftLine = {
  key: number
  /** The id of a stored line; undefined for a new one. */
  id: number | undefined
  productId: string
  variantId: string
  sku: string
  title: string
  quantity: number | ''
  /** The quantity that the price was compared at last, until the prices of the supplier tell whether it follows the typed one. */
  pricedAt?: number | '' | undefined
  costPrice?: number | '' | undefined
  /** Of the product search: shown until the terms of the supplier arrive, so that the field does not change under typing. */
  expectedCost?: number | undefined
  supplierSku?: string | undefined
  packSize?: number | '' | undefined
  discountPercent?: number | '' | undefined
  taxRate?: number | '' | undefined
}

/** An order in the form. */
export type Draft = {
  supplierId: number | null
  destinationLocationId: string | null
  /** A day in the shop's time zone, or `''`. */
  expectedDay: string
  /** `''`: computed from the lines' taxes and the discount. */
  tax: number | ''
  /**
   * Percent of all lines, typed as the tax of the order or common to its stored lines; `''`: each line has its own.
   * Stored in the lines.
   */
  taxRate: number | ''
  discount: number | ''
  /** `''`: the supplier's, else the shop's. */
  currency: string
  /** 1 of the order's currency in the shop's; `''`: the last typed one of the currency. */
  rate: number | ''
  reference: string
  supplierReference: string
  cc: readonly string[]
  notes: string
  supplierNotes: string
  lines: readonly DraftLine[]
}

let lastKey = 0
export const nextKey = () => ++lastKey

export const emptyDraft = (supplierId: number | null): Draft => ({
  supplierId,
  destinationLocationId: null,
  expectedDay: '',
  tax: '',
  taxRate: '',
  discount: '',
  currency: '',
  rate: '',
  reference: '',
  supplierReference: '',
  cc: [],
  notes: '',
  supplierNotes: '',
  lines: [],
})

export const draftOf = (order: PurchaseOrder, timeZone: string): Draft => ({
  supplierId: order.supplierId,
  destinationLocationId: order.destinationLocationId,
  expectedDay: order.expectedAt === null ? '' : dayOf(order.expectedAt, timeZone),
  tax: order.isOwnTax ? order.tax : '',
  taxRate: order.isOwnTax ? '' : commonRate(order),
  discount: order.discount === 0 ? '' : order.discount,
  currency: order.currency,
  rate: order.rate ?? '',
  reference: order.reference,
  supplierReference: order.supplierReference,
  cc: order.cc,
  notes: order.notes,
  supplierNotes: order.supplierNotes,
  lines: order.lineItems.map(lineOf),
})

/** The rate of a line that is added later; `''` of lines with several rates. */
function commonRate({ lineItems }: PurchaseOrder): number | '' {
  const [first, ...others] = new Set(lineItems.map(({ taxRate }) => taxRate))
  return first === undefined || others.length > 0 ? '' : first
}

const lineOf = (line: PurchaseOrder['lineItems'][number]): DraftLine => {
  const { id, productId, variantId, sku, title, quantity, costPrice } = line
  const { supplierSku, packSize, discountPercent, taxRate } = line
  const product = { key: nextKey(), id, productId, variantId, sku, title }
  return {
    ...product,
    quantity: quantity || '',
    costPrice: costPrice ?? '',
    supplierSku,
    packSize,
    discountPercent,
    taxRate,
  }
}

/** Leaves out an empty number, so that the API takes that of the catalogue. */
const unlessEmpty = <Name extends string>(name: Name, value: number | '' | undefined) =>
  (value === '' || value === undefined ? {} : { [name]: value }) as Record<Name, number>

/** A new line has the words of the catalogue, which change with it; a stored one may have words of its own. */
const toCreate = (
  { id, productId, variantId, sku, title, supplierSku, ...line }: DraftLine,
  orderRate: number | '' = '',
) => ({
  productId,
  variantId,
  ...(id !== undefined && { sku, title }),
  // 0 and null: not known yet
  quantity: line.quantity === '' ? 0 : line.quantity,
  ...(line.costPrice !== undefined && { costPrice: line.costPrice === '' ? null : line.costPrice }),
  ...(supplierSku !== undefined && { supplierSku: supplierSku.trim() }),
  ...unlessEmpty('packSize', line.packSize),
  ...(line.discountPercent !== undefined && { discountPercent: Number(line.discountPercent) }),
  ...unlessEmpty('taxRate', line.taxRate === undefined ? orderRate : Number(line.taxRate)),
})

/** The fields that may change after the order is sent. */
const openFields = (draft: Draft, timeZone: string) => ({
  notes: draft.notes,
  supplierNotes: draft.supplierNotes,
  reference: draft.reference.trim(),
  supplierReference: draft.supplierReference.trim(),
  cc: [...draft.cc],
  rate: rateOf(draft),
  expectedAt: draft.expectedDay === '' ? null : endOfDay(draft.expectedDay, timeZone),
})

const rateOf = ({ rate }: Draft) => (rate === '' ? null : rate)

const bodyOf = (draft: Draft, timeZone: string) => ({
  ...unlessEmpty('supplierId', draft.supplierId ?? ''),
  ...openFields(draft, timeZone),
  destinationLocationId: draft.destinationLocationId,
  tax: draft.tax === '' ? null : draft.tax,
  discount: draft.discount === '' ? null : draft.discount,
  ...(draft.currency !== '' && { currency: draft.currency }),
})

export const inputOf = (draft: Draft, timeZone: string): PurchaseOrderInput => ({
  ...bodyOf(draft, timeZone),
  lineItems: draft.lines.map((line) => toCreate(line, draft.taxRate)),
})

/** The changes to save. The lines of a sent order change by a revision, and of a received order only the rate changes. */
export function patchOf(draft: Draft, stored: PurchaseOrder, timeZone: string): PurchaseOrderPatch {
  const { version } = stored
  if (stored.status === 'received') return { rate: rateOf(draft), version }
  if (stored.status !== 'draft') return { ...openFields(draft, timeZone), version }
  return { ...bodyOf(draft, timeZone), lineItems: linePatches(draft, stored), version }
}

/** The full new list of lines; a stored line is named by its id. */
export function linePatches(draft: Draft, stored: PurchaseOrder): PurchaseOrderLinePatch[] {
  const storedIds = new Set(stored.lineItems.map(({ id }) => id))
  return draft.lines.map((line) =>
    line.id !== undefined && storedIds.has(line.id)
      ? { ...toCreate(line, draft.taxRate), id: line.id }
      : toCreate(line, draft.taxRate),
  )
}

/**
 * Supplier SKU, pack size and tax rate of the lines are those of the new supplier's catalogue. A rate of the order that
 * is not that of the old supplier was typed, and stays.
 */
export const withSupplier = (
  draft: Draft,
  supplierId: number | null,
  oldRate: number | undefined,
): Draft => ({
  ...draft,
  supplierId,
  taxRate: draft.taxRate === oldRate ? '' : draft.taxRate,
  lines: draft.lines.map((line) => ({
    ...line,
    supplierSku: undefined,
    packSize: undefined,
    taxRate: undefined,
  })),
})

const withoutKeys = ({ lines, ...draft }: Draft) => ({
  ...draft,
  lines: lines.map(({ key: _, pricedAt: _at, ...line }) => line),
})

export const isSame = (one: Draft, other: Draft) =>
  JSON.stringify(withoutKeys(one)) === JSON.stringify(withoutKeys(other))
