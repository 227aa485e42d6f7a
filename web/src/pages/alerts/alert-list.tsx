import { PageBody, PageHeader } from '../../components/page.tsx'

export const AlertList = () => (
  <PageBody>
    <PageHeader title="Alerts" />
  </PageBody>
)
