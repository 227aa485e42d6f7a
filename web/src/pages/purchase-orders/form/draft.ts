import type {
  PurchaseOrder,
  PurchaseOrderInput,
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
}

/** An order in the form. */
export type Draft = {
  supplierId: number | null
  destinationLocationId: string | null
  /** A day in the shop's time zone, or `''`. */
  expectedDay: string
  tax: number | ''
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
  notes: '',
  supplierNotes: '',
  lines: [],
})

export const draftOf = (order: PurchaseOrder, timeZone: string): Draft => ({
  supplierId: order.supplierId,
  destinationLocationId: order.destinationLocationId,
  expectedDay: order.expectedAt === null ? '' : dayOf(order.expectedAt, timeZone),
  tax: order.tax,
  notes: order.notes,
  supplierNotes: order.supplierNotes,
  lines: order.lineItems.map(({ id, productId, variantId, sku, title, quantity, costPrice }) => ({
    key: nextKey(),
    id,
    productId,
    variantId,
    sku,
    title,
    quantity,
    costPrice,
  })),
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
})

export const inputOf = (draft: Draft, timeZone: string): PurchaseOrderInput => ({
  ...bodyOf(draft, timeZone),
  lineItems: draft.lines.map(toCreate),
})

/** The changes to save. After an order is sent, only its notes and the expected day may change. */
export function patchOf(draft: Draft, stored: PurchaseOrder, timeZone: string): PurchaseOrderPatch {
  const { version } = stored
  if (stored.status !== 'draft') return { ...textFields(draft, timeZone), version }
  const storedIds = new Set(stored.lineItems.map(({ id }) => id))
  const lineItems = draft.lines.map((line) =>
    line.id !== undefined && storedIds.has(line.id) ? { ...toCreate(line), id: line.id } : toCreate(line),
  )
  return { ...bodyOf(draft, timeZone), lineItems, version }
}

export const lineTotal = ({ quantity, costPrice }: Pick<DraftLine, 'quantity' | 'costPrice'>) =>
  Math.round(Number((Number(quantity) * Number(costPrice) * 100).toFixed(6))) / 100

export const subtotal = (lines: readonly DraftLine[]) => lines.reduce((sum, line) => sum + lineTotal(line), 0)

const withoutKeys = ({ lines, ...draft }: Draft) => ({
  ...draft,
  lines: lines.map(({ key: _, ...line }) => line),
})

export const isSame = (one: Draft, other: Draft) =>
  JSON.stringify(withoutKeys(one)) === JSON.stringify(withoutKeys(other))
