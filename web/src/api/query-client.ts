import { QueryClient } from '@tanstack/react-query'
import { ApiError } from './api-error.ts'

const maxAttempts = 3

/** Retries transient errors only; TanStack Query adds exponential backoff. */
const shouldRetry = (failures: number, error: unknown) =>
  failures < maxAttempts - 1 && error instanceof ApiError && error.isTransient

const maxReadings = 5

/** For changes that depend on a reading of levels: waits for it about ten seconds, then shows the API's message. */
export const whileReading = {
  retry: (failures: number, error: Error) =>
    error instanceof ApiError && error.isNotReadYet ? failures < maxReadings : shouldRetry(failures, error),
  // the API's `Retry-After`
  retryDelay: 2_000,
}

export const queryClient = new QueryClient({
  defaultOptions: {
    // 'always' also sends without a network, so that the page shows an error instead of loading forever
    queries: {
      staleTime: 5_000,
      retry: shouldRetry,
      networkMode: 'always',
      refetchOnReconnect: true,
    },
    // the idempotency key makes it safe to repeat a change
    mutations: { retry: shouldRetry, networkMode: 'always' },
  },
})
