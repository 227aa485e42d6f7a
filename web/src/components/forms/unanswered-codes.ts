import { createContext, useContext, useEffect, useId } from 'react'

/** Tells the save bar of the page how many codes of a field wait for their answer. */
export const UnansweredCodes = createContext<(field: string, codes: number) => void>(() => {})

/** The page neither saves without the answers to scanned codes, nor is it left without a question. */
export function useUnansweredCodes(codes: number): void {
  const field = useId()
  const report = useContext(UnansweredCodes)
  useEffect(() => {
    report(field, codes)
    return () => report(field, 0)
  }, [report, field, codes])
}
