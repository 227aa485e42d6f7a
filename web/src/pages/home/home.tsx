import { PageBody, PageHeader } from '../../components/page.tsx'

export const Home = () => (
  <PageBody>
    <PageHeader title="Home" />
  </PageBody>
)
