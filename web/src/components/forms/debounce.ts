import { useDebouncedCallback } from '@mantine/hooks'

/**
 * Tells when the typing pauses; not to who has gone to another page meanwhile, which may still be on its way: to put
 * something into the address then would bring people back.
 */
export function useTellLater<T>(tell: (typed: T) => void, pauseMs: number) {
  const tellOnPage = useDebouncedCallback((typed: T, page: string) => {
    if (location.pathname === page) tell(typed)
  }, pauseMs)
  return {
    tellLater: (typed: T) => tellOnPage(typed, location.pathname),
    cancel: () => tellOnPage.cancel(),
  }
}
