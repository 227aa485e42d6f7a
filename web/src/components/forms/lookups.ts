import { createContext, useContext, useEffect, useId } from 'react'

/** Passes to the save bar of the page what a field looks up, such as "2 codes"; null: nothing. */
export const Lookups = createContext<(field: string, what: string | null) => void>(() => {})

/** Until the lookup is answered, the page does not save, and asks before the merchant leaves it. */
export function useLookup(what: string | null): void {
  const field = useId()
  const report = useContext(Lookups)
  useEffect(() => {
    report(field, what)
    return () => report(field, null)
  }, [report, field, what])
}
