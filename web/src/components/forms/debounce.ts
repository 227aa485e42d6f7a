import { useDebouncedCallback } from '@mantine/hooks'

/** Drops the call once the user has left the page: the callback may write the URL, which would navigate back. */
export function useDebounce<T>(callback: (typed: T) => void, pauseMs: number) {
  const callOnSamePage = useDebouncedCallback((typed: T, page: string) => {
    if (location.pathname === page) callback(typed)
  }, pauseMs)
  return {
    debounce: (typed: T) => callOnSamePage(typed, location.pathname),
    cancel: () => callOnSamePage.cancel(),
  }
}
