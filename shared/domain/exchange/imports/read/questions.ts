import type { ImportQuestion } from '../../../../schemas/imports.ts'
import type { StoredImport } from '../imports.ts'
import { productFields, type SheetKind } from './columns.ts'

/** By kind: of each group of fields, one needs a column. Without it, all rows of the sheet are faults or are left out. */
const neededFields: Record<SheetKind, readonly (readonly string[])[]> = {
  purchase_orders: [],
  suppliers: [['name', 'companyName']],
  supplier_products: [productFields],
  reorder_rules: [productFields],
  adjustments: [],
  costs: [productFields, ['cost']],
  stock_counts: [productFields, ['counted']],
}

/** The open questions, which only the merchant can answer. While one is open, a dry run would show wrong numbers or only faults. */
export function questionsOf({
  sheets,
  defaults,
}: Pick<StoredImport, 'sheets' | 'defaults'>): ImportQuestion[] {
  const readable = sheets.filter(({ fault }) => fault === undefined)
  const used = readable.filter(({ kind }) => kind !== 'skip')
  const [first] = readable
  if (first && used.length === 0) return [{ sheet: first.name, about: 'kind', fields: [] }]
  return used.flatMap(({ name: sheet, ...each }): ImportQuestion[] => {
    const mapped = new Set(each.columns.map(({ field }) => field))
    const missing = neededFields[each.kind as SheetKind].filter(
      (fields) => !fields.some((field) => mapped.has(field)),
    )
    const questions = missing.map(
      (fields): ImportQuestion => ({ sheet, about: 'column', fields: [...fields] }),
    )
    if (!defaults.decimalSign && each.isDecimalSignCertain === false)
      questions.push({ sheet, about: 'decimal_sign', fields: [] })
    if (!defaults.dayOrder && !each.isDayOrderCertain)
      questions.push({ sheet, about: 'day_order', fields: [] })
    return questions
  })
}
