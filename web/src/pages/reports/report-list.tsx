import { PageBody, PageHeader } from '../../components/page.tsx'

export const ReportList = () => (
  <PageBody>
    <PageHeader title="Reports" />
  </PageBody>
)
