import { createContext, useContext, useEffect } from 'react'

/** Passes to the dialog around a form whether the form waits for an answer. */
export const DialogLock = createContext<(isBusy: boolean) => void>(() => {})

/** While it waits for an answer, the dialog around it stays open: the answer closes the dialog, or shows an error in it. */
export function useDialogLock(isBusy: boolean): void {
  const lock = useContext(DialogLock)
  useEffect(() => {
    lock(isBusy)
    return () => lock(false)
  }, [lock, isBusy])
}
