import { Stack } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { readQuery, useChange } from '../../api/queries.ts'
import { ErrorNotice } from '../../components/feedback/error-notice.tsx'
import { notifyDone } from '../../components/feedback/notify.ts'
import { FormBar } from '../../components/forms/form-bar.tsx'
import { fieldErrors } from '../../components/forms/form-errors.ts'
import { FormLock } from '../../components/forms/form-lock.tsx'
import { Card } from '../../components/layout/card.tsx'
import { useSettings } from '../../components/shop/settings.tsx'
import { CompanyFields } from './company-fields.tsx'
import { DocumentFields } from './document-fields.tsx'
import { LabelFields } from './label-fields.tsx'
import { PlaceFields } from './place-fields.tsx'
import { changedFields, formOf, type SettingsForm } from './settings-form.ts'

/** The company details and the settings for documents, dates and deliveries, saved together. */
export function ShopSettings({ form }: { form: UseFormReturnType<SettingsForm> }) {
  const settings = useSettings()
  const client = useQueryClient()
  const save = useChange('PUT /settings', {
    onDone: (saved) => {
      client.setQueryData(readQuery('GET /settings', {}).queryKey, saved)
      const stored = formOf(saved)
      form.setInitialValues(stored)
      form.setValues(stored)
      notifyDone('Settings saved')
    },
    onRefused: (error) => form.setErrors(fieldErrors(error)),
  })
  const submit = form.onSubmit((values) =>
    save.mutate({ body: changedFields(values, form.getInitialValues()) }),
  )
  return (
    <form onSubmit={submit} noValidate aria-label="Company, documents and locations">
      <Stack>
        {save.error && Object.keys(form.errors).length === 0 && <ErrorNotice error={save.error} />}
        <FormLock isBusy={save.isPending}>
          <Card title="Company">
            <CompanyFields form={form} />
          </Card>
          <Card title="Documents for suppliers">
            <DocumentFields form={form} />
          </Card>
          <Card title="Documents, dates and locations">
            <PlaceFields form={form} currency={settings.currency} />
          </Card>
          <Card title="Labels">
            <LabelFields form={form} />
          </Card>
        </FormLock>
      </Stack>
      <FormBar form={form} isBusy={save.isPending} onSave={submit} />
    </form>
  )
}
