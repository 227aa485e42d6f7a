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
import { useState } from 'react'
import { focusFirstError } from '../browser/first-error.ts'
import { ApiError } from './api-error.ts'
import type { Answer, Endpoint, ListEndpoint, Options, ReadEndpoint } from './endpoints.ts'
import { whileReading } from './query-client.ts'
import { type Page, request, requestPage, requestWithKey } from './request.ts'
import { RequestKeys } from './request-keys.ts'

export const readQuery = <E extends ReadEndpoint>(endpoint: E, options: Options<E>) =>
  queryOptions({
    queryKey: [endpoint, options.params, options.query],
    queryFn: ({ signal }) => request(endpoint, options, signal),
  })

const pageSize = 50

/** Query options that read a list page by page. The rows of the previous filter stay until the new rows arrive. */
export const listQuery = <E extends ListEndpoint>(endpoint: E, options: Options<E>) =>
  infiniteQueryOptions({
    queryKey: [endpoint, options.params, options.query],
    queryFn: ({ signal, pageParam }) => {
      const query = { limit: pageSize, ...options.query }
      return requestPage(endpoint, Object.assign({ next: pageParam, signal }, options, { query }))
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    // the rows of another record belong to another list
    placeholderData: options.params ? undefined : keepPreviousData,
  })

type OptimisticUpdate = { queryKey: QueryKey; update: (now: unknown) => unknown }

/** Describes how a change alters cached data, so that the page shows it before the API responds. */
export const optimisticUpdate = <T>(
  { queryKey }: { queryKey: DataTag<QueryKey, T, Error> },
  update: (now: T) => T,
): OptimisticUpdate => ({
  queryKey,
  update: (now) => update(now as T),
})

/** The same for each record of a list; `update` returns null to remove a record. */
export const optimisticListUpdate = <R>(
  list: { queryKey: DataTag<QueryKey, InfiniteData<Page<R>>, Error> },
  update: (record: R) => R | null,
): OptimisticUpdate =>
  optimisticUpdate(list, (now) => ({
    ...now,
    pages: now.pages.map((page) => ({
      ...page,
      records: page.records.flatMap((record) => update(record) ?? []),
    })),
  }))

type ChangeOptions<E extends Endpoint> = {
  /** Applied immediately, and reverted when the request fails. */
  optimistic?: (variables: Options<E>) => OptimisticUpdate
  onDone?: (answer: Answer<E>, variables: Options<E>) => unknown
  onRefused?: (error: unknown, variables: Options<E>) => void
  /**
   * The change adds something, as a form for a new record does. After a lost answer the API refuses another save with other
   * values, which would add it a second time.
   */
  isForm?: boolean
  /** Repeats the request while the worker reads levels that it depends on. */
  waitsForReading?: boolean
  /** The idempotency key of a form that outlives the page. */
  key?: () => string
}

const changeKey = ['change']

/**
 * Invalidates all cached data afterwards, because one change affects many lists. While the page or dialog is open, the
 * repetition of a request without an answer changes nothing twice.
 */
export function useChange<E extends Endpoint>(endpoint: E, options: ChangeOptions<E> = {}) {
  const { optimistic, onDone, onRefused, isForm, waitsForReading, key } = options
  const client = useQueryClient()
  const [keys] = useState(() => new RequestKeys())
  const mutation = useMutation({
    mutationKey: changeKey,
    ...(waitsForReading && whileReading),
    mutationFn: (variables: Options<E>) =>
      key === undefined
        ? keys.send(JSON.stringify([isForm ? variables.params : variables]), (own) =>
            requestWithKey(endpoint, variables, own),
          )
        : requestWithKey(endpoint, variables, key()),
    onMutate: async (variables) => {
      if (!optimistic) return undefined
      const { queryKey, update } = optimistic(variables)
      await client.cancelQueries({ queryKey })
      const before = client.getQueryData(queryKey)
      if (before !== undefined) client.setQueryData(queryKey, update(before))
      return { queryKey, before }
    },
    onError: (error, variables, context) => {
      if (context?.before !== undefined) client.setQueryData(context.queryKey, context.before)
      onRefused?.(error, variables)
      if (error instanceof ApiError && error.details.length > 0) focusFirstError()
    },
    onSuccess: onDone,
    onSettled: () => {
      // a refetch during another change would overwrite the optimistic update of that change
      if (client.isMutating({ mutationKey: changeKey }) === 1) void client.invalidateQueries()
    },
  })
  return {
    ...mutation,
    /** Belongs to a discarded form: the next save adds another record. */
    discard: () => {
      keys.clear()
      mutation.reset()
    },
  }
}
