import { getRouteApi, Navigate } from '@tanstack/react-router'
import { Loaded } from '../../../components/feedback/loaded.tsx'
import { Counting } from '../counting/counting.tsx'
import { useCount } from '../counting/use-count.ts'
import { roundOf } from '../offline/local-count.ts'
import { CountResult } from '../result/count-result.tsx'

const route = getRouteApi('/counts/$id')

export function CountDetail() {
  const { id } = route.useParams()
  return (
    <Loaded query={useCount(id)}>
      {(loaded) => {
        const { count } = loaded
        return count.phase === 'review' ? (
          <Navigate to="/counts/$id/review" params={{ id }} replace />
        ) : count.status === 'draft' ? (
          <Counting key={`${count.id} ${count.phase} ${roundOf(count)}`} loaded={loaded} />
        ) : (
          <CountResult key={count.id} loaded={loaded} />
        )
      }}
    </Loaded>
  )
}
