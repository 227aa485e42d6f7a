import { getRouteApi } from '@tanstack/react-router'
import { Loaded } from '../../components/loaded.tsx'
import { CountResult } from './count-result.tsx'
import { Counting } from './counting.tsx'
import { useCount } from './use-count.ts'

const route = getRouteApi('/counts/$id')

/** A count, under way or over. */
export function CountDetail() {
  const { id } = route.useParams()
  return (
    <Loaded query={useCount(id)}>
      {(count) =>
        count.status === 'draft' ? (
          <Counting key={count.id} stored={count} />
        ) : (
          <CountResult key={count.id} count={count} />
        )
      }
    </Loaded>
  )
}
