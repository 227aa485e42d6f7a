import { PageBody, PageHeader } from '../../components/page.tsx'

export const SyncPage = () => (
  <PageBody>
    <PageHeader title="Sync" />
  </PageBody>
)
