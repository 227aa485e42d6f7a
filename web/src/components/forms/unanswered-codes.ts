import { createContext, useContext, useEffect, useId } from 'react'

/** Passes to the save bar of the page how many codes of a field wait for an answer. */
export const UnansweredCodes = createContext<(field: string, codes: number) => void>(() => {})

/** While codes wait for an answer, the page does not save, and asks before the merchant leaves it. */
export function useUnansweredCodes(codes: number): void {
  const field = useId()
  const report = useContext(UnansweredCodes)
  useEffect(() => {
    report(field, codes)
    return () => report(field, 0)
  }, [report, field, codes])
}
