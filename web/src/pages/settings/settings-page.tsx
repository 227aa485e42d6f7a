import { PageBody, PageHeader } from '../../components/page.tsx'

export const SettingsPage = () => (
  <PageBody>
    <PageHeader title="Settings" />
  </PageBody>
)
