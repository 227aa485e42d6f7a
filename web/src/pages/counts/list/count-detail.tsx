import type { UseQueryResult } from '@tanstack/react-query'
import { getRouteApi, Navigate } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { ErrorNotice } from '../../../components/feedback/error-notice.tsx'
import { Loaded } from '../../../components/feedback/loaded.tsx'
import { LoadingPage } from '../../../components/feedback/loading-page.tsx'
import { PageBody } from '../../../components/layout/page.tsx'
import { OneTab } from '../../../components/scan/one-tab.tsx'
import { Counting } from '../counting/counting.tsx'
import { useCount } from '../counting/use-count.ts'
import { type LoadedCount, roundOf } from '../offline/local-count.ts'
import { CountResult } from '../result/count-result.tsx'

const route = getRouteApi('/counts/$id')

export function CountDetail() {
  const { id } = route.useParams()
  const query = useCount(id)
  return (
    <Loaded query={query}>
      {(loaded) => {
        const { count } = loaded
        return count.phase === 'review' ? (
          <Navigate to="/counts/$id/review" params={{ id }} replace />
        ) : count.status === 'draft' ? (
          <OneTab key={count.id} name={`count ${count.id}`}>
            <FreshCount query={query}>
              <Counting key={`${count.phase} ${roundOf(count)}`} loaded={loaded} />
            </FreshCount>
          </OneTab>
        ) : (
          <CountResult key={count.id} loaded={loaded} />
        )
      }}
    </Loaded>
  )
}

/** Longer than a free lock takes; a slow device reads the count once more than it must. */
const maxAgeMs = 300

/** Reads the count again when this tab has waited for another one, which has saved numbers in the meantime. */
function FreshCount({ query, children }: { query: UseQueryResult<LoadedCount>; children: ReactNode }) {
  const { dataUpdatedAt, error, refetch } = query
  const [openedAt] = useState(() => Date.now())
  const isFresh = dataUpdatedAt > openedAt - maxAgeMs
  useEffect(() => {
    if (!isFresh) void refetch()
  }, [isFresh, refetch])
  if (isFresh) return children
  if (!error) return <LoadingPage />
  return (
    <PageBody>
      <ErrorNotice error={error} onRetry={refetch} />
    </PageBody>
  )
}
