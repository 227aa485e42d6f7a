import { PageBody, PageHeader } from '../../components/page.tsx'

export const TransferList = () => (
  <PageBody>
    <PageHeader title="Transfers" />
  </PageBody>
)
