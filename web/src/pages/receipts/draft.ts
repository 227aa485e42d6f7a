import type { FieldErrors } from '../../components/forms/form-errors.ts'
import type { ChosenVariant } from '../../components/pickers/browse/chosen.ts'

export type Line = {
  key: number
  variantId: string
  sku: string
  title: string
  quantity: number | ''
  unitCost: number | ''
}

export type Draft = {
  lines: readonly Line[]
  supplierId: number | null
  locationId: string | null
  deliveryNote: string
  notes: string
}
export const emptyDraft: Draft = {
  lines: [],
  supplierId: null,
  locationId: null,
  deliveryNote: '',
  notes: '',
}

// also above the keys of lines that this device kept
const nextKey = (lines: readonly Line[]) => Math.max(0, ...lines.map(({ key }) => key)) + 1
export const isSame = (a: Draft, b: Draft) => JSON.stringify(a) === JSON.stringify(b)

export function withAdded(
  lines: readonly Line[],
  { variantId, sku, title, quantity }: ChosenVariant,
): readonly Line[] {
  if (!lines.some((line) => line.variantId === variantId))
    return [...lines, { key: nextKey(lines), variantId, sku, title, quantity, unitCost: '' }]
  return lines.map((line) =>
    line.variantId === variantId ? { ...line, quantity: Number(line.quantity) + quantity } : line,
  )
}

/** Checked here because the messages of the API for these fields are less specific. */
export const missingFields = (lines: readonly Line[]): FieldErrors => ({
  ...(lines.length === 0 && { lines: 'Add at least one product.' }),
  ...Object.fromEntries(
    lines.flatMap(({ quantity }, index) =>
      Number(quantity) > 0 ? [] : [[`lines.${index}.quantity`, 'Enter a quantity.']],
    ),
  ),
})
