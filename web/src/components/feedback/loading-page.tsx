import { Skeleton } from '@mantine/core'
import { PageBody } from '../layout/page.tsx'

/** While the page itself is on its way. */
export const LoadingPage = () => (
  <PageBody>
    <div role="status" aria-label="Loading">
      <Skeleton height={24} width={180} mt={6} mb={22} />
      <Skeleton height={320} radius={10} />
    </div>
  </PageBody>
)
