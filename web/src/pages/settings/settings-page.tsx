import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import type { AlertConfiguration } from '../../../../shared/schemas/alerts.ts'
import { readQuery } from '../../api/queries.ts'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { LinkButton } from '../../components/layout/link-button.tsx'
import { PageBody, PageHeader } from '../../components/layout/page.tsx'
import { useSettings } from '../../components/shop/settings.tsx'
import { AlertSettings } from './alert-settings.tsx'
import { DataExport } from './data-export.tsx'
import { DigestSettings } from './digest-settings.tsx'
import { LocationList } from './location-list.tsx'
import { MailTemplates } from './mail-templates.tsx'
import { type AlertForm, formOf, stockFormOf } from './settings-form.ts'
import { ShopSettings } from './shop-settings.tsx'
import { StockSettings } from './stock-settings.tsx'

export function SettingsPage() {
  const query = useQuery(readQuery('GET /alerts/configure', {}))
  return <Loaded query={query}>{(configuration) => <Forms configuration={configuration} />}</Loaded>
}

/** Several forms, which the bar of the page saves. */
function Forms({ configuration }: { configuration: AlertConfiguration }) {
  const settings = useForm({ initialValues: formOf(useSettings()) })
  const stock = useForm({ initialValues: stockFormOf(useSettings()) })
  const alerts = useForm<AlertForm>({ initialValues: configuration })
  return (
    <PageBody>
      <PageHeader
        title="Settings"
        actions={
          <>
            <LinkButton to="/imports" variant="default">
              Move in
            </LinkButton>
            <LinkButton to="/sync" variant="default">
              Sync
            </LinkButton>
          </>
        }
      />
      <ShopSettings form={settings} />
      <MailTemplates />
      <LocationList />
      <StockSettings form={stock} />
      <AlertSettings form={alerts} />
      <DigestSettings />
      <DataExport />
    </PageBody>
  )
}
