import type { ReorderSuggestion } from '../../../../../shared/schemas/reorder-suggestions.ts'

export type SuggestionGroup = {
  supplierId: number | null
  /** Empty when their rules name none. */
  supplierName: string
  suggestions: readonly ReorderSuggestion[]
}

/** Whether a draft can be made of it now: of the others the API would say why not. */
export const canOrder = ({ suggestedQuantity, inDraft, supplierId }: ReorderSuggestion): boolean =>
  suggestedQuantity > 0 && inDraft === 0 && supplierId !== null

/** By supplier, those without one last; of each what can be ordered first, and of that the most urgent. */
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

const farAway = '9999'

function byUrgency(a: ReorderSuggestion, b: ReorderSuggestion): number {
  return (
    rank(a) - rank(b) ||
    (a.orderByDate ?? farAway).localeCompare(b.orderByDate ?? farAway) ||
    a.title.localeCompare(b.title)
  )
}

const rank = ({ suggestedQuantity, inDraft }: ReorderSuggestion): number =>
  suggestedQuantity === 0 ? 2 : inDraft > 0 ? 1 : 0
