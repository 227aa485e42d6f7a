import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { PageBody } from '../layout/page.tsx'
import { ErrorNotice } from './error-notice.tsx'
import { LoadingPage } from './loading-page.tsx'
import { NotFound } from './not-found.tsx'

type Props<T> = { query: UseQueryResult<T>; children: (data: T) => ReactNode }

/** A page about one record: shows the loading, error and not-found states until the record is loaded. */
export function Loaded<T>({ query: { data, error, refetch }, children }: Props<T>) {
  if (data !== undefined) return children(data)
  if (!error) return <LoadingPage />
  // 400: the id in the URL is malformed
  if (error instanceof ApiError && (error.status === 404 || error.status === 400)) return <NotFound />
  return (
    <PageBody>
      <ErrorNotice error={error} onRetry={refetch} />
    </PageBody>
  )
}
