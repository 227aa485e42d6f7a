import { PageBody, PageHeader } from '../../components/page.tsx'

export const SuggestionList = () => (
  <PageBody>
    <PageHeader title="Reorder" />
  </PageBody>
)
