import { queryOptions } from '@tanstack/react-query'
import { requestPage } from '../../api/request.ts'

const most = 250

/** How many suggestions should have been ordered by this day of the shop; of very many rules the newest are looked at. */
export const readLateSuggestions = (today: string) =>
  queryOptions({
    queryKey: ['reorder', 'late', today],
    queryFn: async ({ signal }) => {
      const page = await requestPage('GET /reorder/suggestions', { query: { limit: most }, signal })
      const late = page.records.filter(
        ({ orderByDate, suggestedQuantity, inDraft }) =>
          orderByDate !== null && orderByDate <= today && suggestedQuantity > 0 && inDraft === 0,
      )
      return { count: late.length, isMore: page.next !== undefined }
    },
    staleTime: 60_000,
  })
