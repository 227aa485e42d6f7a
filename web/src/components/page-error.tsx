import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { ErrorNotice } from './error-notice.tsx'
import { PageBody, PageHeader } from './page.tsx'

/** A fault of ours in a page, or one that could not be loaded: the rest goes on. */
export function PageError({ error }: ErrorComponentProps) {
  const router = useRouter()
  return (
    <PageBody>
      <PageHeader title="Something went wrong" />
      <ErrorNotice error={error} onRetry={() => router.invalidate()} />
    </PageBody>
  )
}
