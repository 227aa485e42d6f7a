import type { ReorderSuggestion } from '../../../../../shared/schemas/reorder-suggestions.ts'

export type SuggestionGroup = {
  supplierId: number | null
  /** Empty for the group without a supplier. */
  supplierName: string
  suggestions: readonly ReorderSuggestion[]
}

/** Whether the API would create a draft for it. */
export const canOrder = ({ suggestedQuantity, inDraft, supplierId }: ReorderSuggestion): boolean =>
  suggestedQuantity > 0 && inDraft === 0 && supplierId !== null

/** Groups by supplier, with no supplier last. In each group: orderable, in a draft, not needed; then by urgency. */
export function groupSuggestions(suggestions: readonly ReorderSuggestion[]): SuggestionGroup[] {
  return [...Map.groupBy(suggestions, ({ supplierId }) => supplierId)]
    .map(([supplierId, all]) => ({
      supplierId,
      supplierName: all[0]?.supplierName ?? '',
      suggestions: all.toSorted(byUrgency),
    }))
    .sort(
      (a, b) =>
        Number(a.supplierId === null) - Number(b.supplierId === null) ||
        a.supplierName.localeCompare(b.supplierName),
    )
}

const afterAllDates = '9999'

function byUrgency(a: ReorderSuggestion, b: ReorderSuggestion): number {
  return (
    rank(a) - rank(b) ||
    (a.orderByDate ?? afterAllDates).localeCompare(b.orderByDate ?? afterAllDates) ||
    a.title.localeCompare(b.title)
  )
}

/** 0: can be ordered. 1: is in a draft. 2: needs no order. */
const rank = ({ suggestedQuantity, inDraft }: ReorderSuggestion): number =>
  suggestedQuantity === 0 ? 2 : inDraft > 0 ? 1 : 0
