import { useBlocker } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Confirm } from '../feedback/confirm.tsx'

type Props = {
  when: boolean
  /** Replaces the text that changes will be lost. */
  children?: ReactNode
}

/** Asks before the user leaves a page with unsaved changes: by a link, the back button, or by closing the tab. */
export function UnsavedGuard({ when, children }: Props) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => when && current.pathname !== next.pathname,
    enableBeforeUnload: when,
    withResolver: true,
  })
  return (
    <Confirm
      isOpen={status === 'blocked'}
      title="Leave without saving?"
      confirm="Leave"
      dismiss="Keep editing"
      isDestructive
      onConfirm={() => proceed?.()}
      onCancel={() => reset?.()}
    >
      {children || 'Your changes will be lost.'}
    </Confirm>
  )
}
