import type { ErrorComponentProps } from '@tanstack/react-router'
import { ErrorNotice } from './error-notice.tsx'
import { PageBody, PageHeader } from './page.tsx'

/** A fault of ours in a page: the rest goes on. */
export const PageError = ({ error, reset }: ErrorComponentProps) => (
  <PageBody>
    <PageHeader title="Something went wrong" />
    <ErrorNotice error={error} onRetry={reset} />
  </PageBody>
)
