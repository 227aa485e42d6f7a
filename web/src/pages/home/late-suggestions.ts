import { queryOptions } from '@tanstack/react-query'
import type { ReorderSuggestion } from '../../../../shared/schemas/reorder-suggestions.ts'
import { type Page, requestPage } from '../../api/request.ts'

const most = 250

/** Of very many suggestions, the newest. */
export const readSuggestions = queryOptions({
  queryKey: ['reorder', 'newest suggestions'],
  queryFn: ({ signal }) => requestPage('GET /reorder/suggestions', { query: { limit: most }, signal }),
  staleTime: 60_000,
})

/** How many of them should have been ordered by this day of the shop. */
export function lateOf({ records, next }: Page<ReorderSuggestion>, today: string) {
  const late = records.filter(
    ({ orderByDate, suggestedQuantity, inDraft }) =>
      orderByDate !== null && orderByDate <= today && suggestedQuantity > 0 && inDraft === 0,
  )
  return { count: late.length, isMore: next !== undefined }
}
