import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { PageBody, PageHeader } from '../layout/page.tsx'
import { ErrorNotice } from './error-notice.tsx'

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
