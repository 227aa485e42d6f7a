import { Skeleton } from '@mantine/core'
import { PageBody } from '../layout/page.tsx'

/** Shown while the code or the record of a page loads. */
export const LoadingPage = () => (
  <PageBody>
    <div role="status" aria-label="Loading">
      <Skeleton height={24} width={180} mt={6} mb={22} />
      <Skeleton height={320} radius={10} />
    </div>
  </PageBody>
)
