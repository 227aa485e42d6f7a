import { PageBody, PageHeader } from '../../components/page.tsx'

export const CountList = () => (
  <PageBody>
    <PageHeader title="Counts" />
  </PageBody>
)
