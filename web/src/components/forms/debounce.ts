import { useDebouncedCallback } from '@mantine/hooks'

/**
 * Debounces typed input. It drops the call if the user has left the page since: the callback may write a search into the
 * URL, which would navigate back to the old page.
 */
export function useDebounce<T>(callback: (typed: T) => void, pauseMs: number) {
  const callOnSamePage = useDebouncedCallback((typed: T, page: string) => {
    if (location.pathname === page) callback(typed)
  }, pauseMs)
  return {
    debounce: (typed: T) => callOnSamePage(typed, location.pathname),
    cancel: () => callOnSamePage.cancel(),
  }
}
