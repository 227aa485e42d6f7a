import {
  infiniteQueryOptions,
  queryOptions,
  type UseMutationOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import type { Answer, Body, Endpoint, Endpoints, ListEndpoint, Params, Query } from './endpoints.ts'
import { request, requestPage } from './request.ts'

/** Endpoints that read one thing. */
type ReadEndpoint = {
  [E in Endpoint]: E extends `GET ${string}` ? (Endpoints[E] extends { answer: unknown } ? E : never) : never
}[Endpoint]

/** What reads one thing; its key begins with the resource, so that a change of that makes all of it old. */
export const reading = <E extends ReadEndpoint>(endpoint: E, options: Params<E> & Body<E>) =>
  queryOptions({
    queryKey: [resourceOf(endpoint), endpoint, options.params],
    queryFn: ({ signal }) => request(endpoint, options, signal),
  })

const pageSize = 50

/** What reads a list, page by page. */
export const listing = <E extends ListEndpoint>(endpoint: E, options: Params<E> & { query: Query<E> }) =>
  infiniteQueryOptions({
    queryKey: [resourceOf(endpoint), endpoint, options.params, options.query],
    queryFn: ({ signal, pageParam }) =>
      requestPage(endpoint, {
        ...options,
        query: Object.assign({ limit: pageSize }, options.query),
        next: pageParam,
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
  })

/** The first word of an address: `suppliers` of `GET /suppliers/:id`. */
const resourceOf = (endpoint: string) => endpoint.split('/')[1]?.split('/')[0] ?? ''

/** What changes something. Whatever is known of these resources is old afterwards, and read again where it is shown. */
export function useChange<E extends Endpoint>(
  endpoint: E,
  changes: readonly string[] = [resourceOf(endpoint)],
  options: Omit<UseMutationOptions<Answer<E>, unknown, Params<E> & Body<E>, unknown>, 'mutationFn'> = {},
) {
  const client = useQueryClient()
  return useMutation({
    ...options,
    mutationFn: (variables: Params<E> & Body<E>) => request(endpoint, variables),
    onSettled: async (...args) => {
      await options.onSettled?.(...args)
      await Promise.all(changes.map((resource) => client.invalidateQueries({ queryKey: [resource] })))
    },
  })
}
