import { useBlocker } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Confirm } from '../feedback/confirm.tsx'

type Props = {
  when: boolean
  /** What becomes of it, where it is not lost. */
  children?: ReactNode
}

/** Asks before a page with changes that are not saved is left: by a link, the back button, or with the tab. */
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
      isDestructive
      onConfirm={() => proceed?.()}
      onCancel={() => reset?.()}
    >
      {children ?? 'What you have changed on this page is lost then.'}
    </Confirm>
  )
}
