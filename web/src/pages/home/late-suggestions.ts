import { queryOptions } from '@tanstack/react-query'
import type { ReorderSuggestion } from '../../../../shared/schemas/reorder-suggestions.ts'
import { type Page, requestPage } from '../../api/request.ts'

const maxSuggestions = 250

/** Reads the 250 most urgent suggestions. */
export const suggestionsQuery = queryOptions({
  queryKey: ['reorder', 'most urgent suggestions'],
  queryFn: ({ signal }) =>
    requestPage('GET /reorder/suggestions', { query: { limit: maxSuggestions }, signal }),
  staleTime: 60_000,
})

/**
 * Divides the suggestions by what is to be done on `today`, a day in the shop's time zone: `drafts` must be sent, since a
 * draft orders nothing; `toOrder` counts those to order; `low` the others that can be ordered; `waiting` those in a draft
 * that is not due, or covered by incoming goods. `isMore`: there are further suggestions.
 */
export function countSuggestions({ records, next }: Page<ReorderSuggestion>, today: string) {
  const short = records.filter(({ suggestedQuantity }) => suggestedQuantity > 0)
  const isDue = ({ orderByDate }: ReorderSuggestion) => orderByDate !== null && orderByDate <= today
  const due = short.filter(isDue)
  const toOrder = due.filter(({ inDraft }) => inDraft === 0).length
  const low = short.filter((suggestion) => !isDue(suggestion) && suggestion.inDraft === 0).length
  const dueDrafts = Map.groupBy(
    due.flatMap(({ drafts }) => drafts),
    ({ id }) => id,
  )
  return {
    drafts: [...dueDrafts.values()].flatMap(([draft, ...others]) =>
      draft ? [{ ...draft, products: 1 + others.length }] : [],
    ),
    toOrder,
    low,
    waiting: records.length - due.length - low,
    isMore: next !== undefined,
  }
}
