import { QueryClient } from '@tanstack/react-query'
import { ApiError } from './api-error.ts'

const maxTries = 3

/** What may pass is tried again, with growing pauses; what the API has refused is not. */
const isWorthAnotherTry = (failures: number, error: unknown) =>
  failures < maxTries - 1 && error instanceof ApiError && error.isPassing

export const queryClient = new QueryClient({
  defaultOptions: {
    // without a network it is asked all the same, so that somebody is told instead of waiting for nothing
    queries: {
      staleTime: 5_000,
      retry: isWorthAnotherTry,
      networkMode: 'always',
      refetchOnReconnect: true,
    },
    // what changes something carries its key, so it is safe to ask again
    mutations: { retry: isWorthAnotherTry, networkMode: 'always' },
  },
})
