import { queryOptions } from '@tanstack/react-query'
import type { ReorderSuggestion } from '../../../../shared/schemas/reorder-suggestions.ts'
import { type Page, requestPage } from '../../api/request.ts'

const maxSuggestions = 250

/** Reads the newest 250 suggestions. */
export const suggestionsQuery = queryOptions({
  queryKey: ['reorder', 'newest suggestions'],
  queryFn: ({ signal }) =>
    requestPage('GET /reorder/suggestions', { query: { limit: maxSuggestions }, signal }),
  staleTime: 60_000,
})

/**
 * Counts the suggestions to order by `today`, a day in the shop's time zone: `toOrder`, and `inDraft`, whose draft must be
 * sent, since a draft orders nothing. `low` are the others that can be ordered. `isMore`: there are further suggestions.
 */
export function countSuggestions({ records, next }: Page<ReorderSuggestion>, today: string) {
  const short = records.filter(({ suggestedQuantity }) => suggestedQuantity > 0)
  const isDue = ({ orderByDate }: ReorderSuggestion) => orderByDate !== null && orderByDate <= today
  const due = short.filter(isDue)
  return {
    toOrder: due.filter(({ inDraft }) => inDraft === 0).length,
    inDraft: due.filter(({ inDraft }) => inDraft > 0).length,
    low: short.filter((suggestion) => !isDue(suggestion) && suggestion.inDraft === 0).length,
    isMore: next !== undefined,
  }
}
