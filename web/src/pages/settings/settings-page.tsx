import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import type { AlertConfiguration } from '../../../../shared/schemas/alerts.ts'
import { readQuery } from '../../api/queries.ts'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { UnsavedGuard } from '../../components/forms/unsaved-guard.tsx'
import { PageBody, PageHeader } from '../../components/layout/page.tsx'
import { useSettings } from '../../components/shop/settings.tsx'
import { AlertSettings } from './alert-settings.tsx'
import { DataExport } from './data-export.tsx'
import { LocationList } from './location-list.tsx'
import { MailTemplates } from './mail-templates.tsx'
import { type AlertForm, formOf, stockFormOf } from './settings-form.ts'
import { ShopSettings } from './shop-settings.tsx'
import { StockSettings } from './stock-settings.tsx'

export function SettingsPage() {
  const query = useQuery(readQuery('GET /alerts/configure', {}))
  return <Loaded query={query}>{(configuration) => <Forms configuration={configuration} />}</Loaded>
}

/** Three forms with separate Save buttons, and one guard for the unsaved changes of all. */
function Forms({ configuration }: { configuration: AlertConfiguration }) {
  const settings = useForm({ initialValues: formOf(useSettings()) })
  const stock = useForm({ initialValues: stockFormOf(useSettings()) })
  const alerts = useForm<AlertForm>({ initialValues: configuration })
  return (
    <PageBody>
      <PageHeader title="Settings" />
      <ShopSettings form={settings} />
      <MailTemplates />
      <LocationList />
      <StockSettings form={stock} />
      <AlertSettings form={alerts} />
      <DataExport />
      <UnsavedGuard when={settings.isDirty() || stock.isDirty() || alerts.isDirty()} />
    </PageBody>
  )
}
