import { PageBody, PageHeader } from '../../components/page.tsx'

export const LevelList = () => (
  <PageBody>
    <PageHeader title="Stock" />
  </PageBody>
)
