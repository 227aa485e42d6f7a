import type {
  PurchaseOrder,
  PurchaseOrderInput,
  PurchaseOrderLinePatch,
  PurchaseOrderPatch,
} from '../../../../../shared/schemas/purchase-orders.ts'
import { dayOf, endOfDay } from '../../../components/shop/shop-days.ts'

/** A line in the form; an empty field is `''`. */
export type DraftLine = {
  key: number
  /** The id of a stored line; undefined for a new one. */
  id: number | undefined
  productId: string
  variantId: string
  sku: string
  title: string
  quantity: number | ''
  costPrice: number | ''
  /** Of a stored line. */
  discountPercent?: number
}

/** An order in the form. */
export type Draft = {
  supplierId: number | null
  destinationLocationId: string | null
  /** A day in the shop's time zone, or `''`. */
  expectedDay: string
  /** `''`: the sum of the lines' taxes. */
  tax: number | ''
  discount: number | ''
  /** `''`: the supplier's, else the shop's. */
  currency: string
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
  discount: '',
  currency: '',
  notes: '',
  supplierNotes: '',
  lines: [],
})

export const draftOf = (order: PurchaseOrder, timeZone: string): Draft => ({
  supplierId: order.supplierId,
  destinationLocationId: order.destinationLocationId,
  expectedDay: order.expectedAt === null ? '' : dayOf(order.expectedAt, timeZone),
  tax: order.isOwnTax ? order.tax : '',
  discount: order.discount === 0 ? '' : order.discount,
  currency: order.currency,
  notes: order.notes,
  supplierNotes: order.supplierNotes,
  lines: order.lineItems.map(
    ({ id, productId, variantId, sku, title, quantity, costPrice, discountPercent }) => ({
      key: nextKey(),
      id,
      productId,
      variantId,
      sku,
      title,
      quantity,
      costPrice,
      discountPercent,
    }),
  ),
})

/** Leaves out an empty number, so that the API reports the field as missing. */
const unlessEmpty = <Name extends string>(name: Name, value: number | '') =>
  (value === '' ? {} : { [name]: value }) as Record<Name, number>

/** A new line has the words of the catalogue, which change with it; a stored one may have words of its own. */
const toCreate = ({ id, productId, variantId, sku, title, quantity, costPrice }: DraftLine) => ({
  productId,
  variantId,
  ...(id !== undefined && { sku, title }),
  ...unlessEmpty('quantity', quantity),
  ...unlessEmpty('costPrice', costPrice),
})

const textFields = (draft: Draft, timeZone: string) => ({
  notes: draft.notes,
  supplierNotes: draft.supplierNotes,
  expectedAt: draft.expectedDay === '' ? null : endOfDay(draft.expectedDay, timeZone),
})

const bodyOf = (draft: Draft, timeZone: string) => ({
  ...unlessEmpty('supplierId', draft.supplierId ?? ''),
  ...textFields(draft, timeZone),
  destinationLocationId: draft.destinationLocationId,
  tax: draft.tax === '' ? null : draft.tax,
  discount: draft.discount === '' ? null : draft.discount,
  ...(draft.currency !== '' && { currency: draft.currency }),
})

export const inputOf = (draft: Draft, timeZone: string): PurchaseOrderInput => ({
  ...bodyOf(draft, timeZone),
  lineItems: draft.lines.map(toCreate),
})

/** The changes to save. After an order is sent, only its notes and the expected day may change. */
export function patchOf(draft: Draft, stored: PurchaseOrder, timeZone: string): PurchaseOrderPatch {
  const { version } = stored
  if (stored.status !== 'draft') return { ...textFields(draft, timeZone), version }
  return { ...bodyOf(draft, timeZone), lineItems: linePatches(draft, stored), version }
}

/** The full new list of lines; a stored line is named by its id. */
export function linePatches(draft: Draft, stored: PurchaseOrder): PurchaseOrderLinePatch[] {
  const storedIds = new Set(stored.lineItems.map(({ id }) => id))
  return draft.lines.map((line) =>
    line.id !== undefined && storedIds.has(line.id) ? { ...toCreate(line), id: line.id } : toCreate(line),
  )
}

type Amount = Pick<DraftLine, 'quantity' | 'costPrice' | 'discountPercent'>

/** Rounded to the decimals of the order's currency, as the API does. */
export function lineTotal({ quantity, costPrice, discountPercent = 0 }: Amount, decimals = 2): number {
  const unit = 10 ** decimals
  const amount = Number(quantity) * Number(costPrice) * (1 - discountPercent / 100)
  return Math.round(Number((amount * unit).toFixed(6))) / unit
}

export const subtotal = (lines: readonly DraftLine[], decimals = 2) =>
  lines.reduce((sum, line) => sum + lineTotal(line, decimals), 0)

const withoutKeys = ({ lines, ...draft }: Draft) => ({
  ...draft,
  lines: lines.map(({ key: _, ...line }) => line),
})

export const isSame = (one: Draft, other: Draft) =>
  JSON.stringify(withoutKeys(one)) === JSON.stringify(withoutKeys(other))
