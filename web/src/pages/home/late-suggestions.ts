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

/** Counts the suggestions to order by `today`, a day in the shop's time zone. `isMore`: there are further suggestions. */
export function dueByToday({ records, next }: Page<ReorderSuggestion>, today: string) {
  const due = records.filter(
    ({ orderByDate, suggestedQuantity, inDraft }) =>
      orderByDate !== null && orderByDate <= today && suggestedQuantity > 0 && inDraft === 0,
  )
  return { count: due.length, isMore: next !== undefined }
}
