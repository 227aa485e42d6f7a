import { useDebouncedCallback } from '@mantine/hooks'

/**
 * Tells when the typing pauses; not to who has gone to another page meanwhile, which may still be on its way: to put
 * something into the address then would bring people back.
 */
export function useDebounce<T>(tell: (typed: T) => void, pauseMs: number) {
  const callOnSamePage = useDebouncedCallback((typed: T, page: string) => {
    if (location.pathname === page) tell(typed)
  }, pauseMs)
  return {
    debounce: (typed: T) => callOnSamePage(typed, location.pathname),
    cancel: () => callOnSamePage.cancel(),
  }
}
