import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { PageBody, PageHeader } from '../layout/page.tsx'
import { ErrorNotice } from './error-notice.tsx'

/** Shown in place of a page that failed to load or to render; the navigation keeps working. */
export function PageError({ error }: ErrorComponentProps) {
  const router = useRouter()
  return (
    <PageBody>
      <PageHeader title="Something went wrong" />
      <ErrorNotice error={error} onRetry={() => router.invalidate()} />
    </PageBody>
  )
}
