import {
  type DataTag,
  type InfiniteData,
  infiniteQueryOptions,
  keepPreviousData,
  type QueryKey,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import type { Answer, Endpoint, Endpoints, ListEndpoint, Options } from './endpoints.ts'
import { type Page, request, requestPage } from './request.ts'

/** Endpoints that read one thing. */
type ReadEndpoint = {
  [E in Endpoint]: E extends `GET ${string}` ? (Endpoints[E] extends { answer: unknown } ? E : never) : never
}[Endpoint]

/** What reads one thing. */
export const reading = <E extends ReadEndpoint>(endpoint: E, options: Options<E>) =>
  queryOptions({
    queryKey: [endpoint, options.params, options.query],
    queryFn: ({ signal }) => request(endpoint, options, signal),
  })

const pageSize = 50

/** What reads a list, page by page. The rows of the filter before stay until those of the new one are there. */
export const listing = <E extends ListEndpoint>(endpoint: E, options: Options<E>) =>
  infiniteQueryOptions({
    queryKey: [endpoint, options.params, options.query],
    queryFn: ({ signal, pageParam }) => {
      const query = { limit: pageSize, ...options.query }
      return requestPage(endpoint, Object.assign({ next: pageParam, signal }, options, { query }))
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    // those of another record are not the same list
    placeholderData: options.params ? undefined : keepPreviousData,
  })

type Shown = { queryKey: QueryKey; update: (now: unknown) => unknown }

/** What a change makes of something that is on the screen, so that it can be shown before the API has answered. */
export const showing = <T>(
  { queryKey }: { queryKey: DataTag<QueryKey, T, Error> },
  update: (now: T) => T,
): Shown => ({
  queryKey,
  update: (now) => update(now as T),
})

/** The same for a list: every record of it as `update` makes it; those of which it makes nothing are gone. */
export const showingRecords = <R>(
  list: { queryKey: DataTag<QueryKey, InfiniteData<Page<R>>, Error> },
  update: (record: R) => R | null,
): Shown =>
  showing(list, (now) => ({
    ...now,
    pages: now.pages.map((page) => ({
      ...page,
      records: page.records.flatMap((record) => update(record) ?? []),
    })),
  }))

type ChangeOptions<E extends Endpoint> = {
  /** Shown at once, and taken back when the API refuses. */
  shows?: (variables: Options<E>) => Shown
  onDone?: (answer: Answer<E>, variables: Options<E>) => unknown
  onRefused?: (error: unknown, variables: Options<E>) => void
}

const changing = ['change']

/**
 * What changes something. All that has been read is old afterwards, since one record shows in many lists: what arrives
 * changes levels, history, suggestions, alerts, reports and the home page. Only what is on the screen is read again at
 * once, the rest where somebody looks at it.
 */
export function useChange<E extends Endpoint>(endpoint: E, options: ChangeOptions<E> = {}) {
  const { shows, onDone, onRefused } = options
  const client = useQueryClient()
  return useMutation({
    mutationKey: changing,
    mutationFn: (variables: Options<E>) => request(endpoint, variables),
    onMutate: async (variables) => {
      if (!shows) return undefined
      const { queryKey, update } = shows(variables)
      await client.cancelQueries({ queryKey })
      const before = client.getQueryData(queryKey)
      if (before !== undefined) client.setQueryData(queryKey, update(before))
      return { queryKey, before }
    },
    onError: (error, variables, shown) => {
      if (shown?.before !== undefined) client.setQueryData(shown.queryKey, shown.before)
      onRefused?.(error, variables)
    },
    onSuccess: onDone,
    onSettled: () => {
      // what is read while another change is under way would take back what that one shows
      if (client.isMutating({ mutationKey: changing }) === 1) void client.invalidateQueries()
    },
  })
}
