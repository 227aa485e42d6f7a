import type { Formats } from '../format.ts'
import { oneLine } from '../one-line.ts'
import type { PurchaseOrderDocument } from '../schemas/order-document.ts'
import type { Words } from '../words/words.ts'

type Line = PurchaseOrderDocument['lines'][number]

export type TableColumn = {
  title: string
  align: 'left' | 'right' | 'auto'
  /** In pt; the title of the product gets the remaining width, and has none. */
  maxWidth?: number
}

type LineColumn = TableColumn & {
  text: (line: Line, index: number) => string
}

/** The columns of the table of lines. One that is empty in every line is left out. */
export function lineColumns(words: Words, formats: Formats, { lines }: PurchaseOrderDocument): LineColumn[] {
  const has = (name: 'supplierSku' | 'discountPercent' | 'taxRate') => lines.some((line) => line[name])
  const hasPacks = lines.some(({ packSize = 1 }) => packSize > 1)
  const extra = [has('supplierSku'), hasPacks, has('discountPercent'), has('taxRate')].filter(Boolean).length
  const narrow = (wide: number, least: number) => (extra > 1 ? least : wide)
  const percent = (value = 0) => (value === 0 ? '' : formats.percent(value))
  const column = (isShown: boolean, value: LineColumn): LineColumn[] => (isShown ? [value] : [])
  return [
    { title: words.line, align: 'right', maxWidth: 24, text: (_line, index) => formats.quantity(index + 1) },
    ...column(has('supplierSku'), {
      ...{ title: words.supplierSku, align: 'left', maxWidth: narrow(90, 68) },
      text: ({ supplierSku = '' }) => oneLine(supplierSku),
    }),
    { title: words.sku, align: 'left', maxWidth: narrow(120, 68), text: ({ sku }) => oneLine(sku) },
    { title: words.title, align: 'auto', text: ({ title }) => oneLine(title) },
    ...column(hasPacks, {
      ...{ title: words.packs, align: 'right', maxWidth: narrow(70, 52) },
      text: (line) => packsOf(line, formats),
    }),
    {
      ...{ title: words.quantity, align: 'right', maxWidth: narrow(60, 46) },
      text: ({ quantity }) => formats.quantity(quantity),
    },
    {
      ...{ title: words.unitCost, align: 'right', maxWidth: narrow(90, 62) },
      text: ({ costPrice, isCostToBeAgreed }) =>
        isCostToBeAgreed ? words.toBeAgreed : formats.cost(costPrice),
    },
    ...column(has('discountPercent'), {
      ...{ title: words.discount, align: 'right', maxWidth: 44 },
      text: ({ discountPercent }) => percent(discountPercent),
    }),
    ...column(has('taxRate'), {
      ...{ title: words.tax, align: 'right', maxWidth: 40 },
      text: ({ taxRate }) => percent(taxRate),
    }),
    {
      ...{ title: words.lineTotal, align: 'right', maxWidth: narrow(95, 72) },
      text: ({ lineTotal, isCostToBeAgreed }) => (isCostToBeAgreed ? '–' : formats.money(lineTotal)),
    },
  ]
}

/** Packs × size, as in `4 × 6` for 24 pieces and `4 × 6 + 2` for 26; the pieces are in the next column. */
function packsOf({ packSize = 1, quantity }: Line, formats: Formats): string {
  if (packSize === 1) return ''
  const packs = Math.floor(quantity / packSize)
  const rest = quantity % packSize
  const whole = packs === 0 ? [] : [`${formats.quantity(packs)} × ${formats.quantity(packSize)}`]
  return [...whole, ...(rest === 0 ? [] : [formats.quantity(rest)])].join(' + ')
}
