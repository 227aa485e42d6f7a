import { Stack } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { readQuery, useChange } from '../../api/queries.ts'
import { ErrorNotice } from '../../components/feedback/error-notice.tsx'
import { notifyDone } from '../../components/feedback/notify.ts'
import { FormButtons } from '../../components/forms/form-buttons.tsx'
import { fieldErrors } from '../../components/forms/form-errors.ts'
import { Card } from '../../components/layout/card.tsx'
import { useSettings } from '../../components/shop/settings.tsx'
import { CompanyFields } from './company-fields.tsx'
import { LabelFields } from './label-fields.tsx'
import { PlaceFields } from './place-fields.tsx'
import { formOf, patchOf, type SettingsForm } from './settings-form.ts'

/** The company details and the settings for documents, dates and deliveries, saved together. */
export function ShopSettings({ form }: { form: UseFormReturnType<SettingsForm> }) {
  const settings = useSettings()
  const client = useQueryClient()
  const save = useChange('PUT /settings', {
    onDone: (saved, { body }) => {
      client.setQueryData(readQuery('GET /settings', {}).queryKey, saved)
      const [current, stored] = [form.getValues(), formOf(saved)]
      form.setInitialValues(stored)
      // fields edited during the save keep their unsaved values
      const isEdited = Object.keys(patchOf(current, stored)).some((name) => !(name in body))
      if (!isEdited) form.setValues(stored)
      notifyDone('Settings saved')
    },
    onRefused: (error) => form.setErrors(fieldErrors(error)),
  })
  const submit = form.onSubmit((values) => save.mutate({ body: patchOf(values, form.getInitialValues()) }))
  return (
    <form onSubmit={submit} noValidate aria-label="Company, documents and locations">
      <Stack>
        {save.error && Object.keys(form.errors).length === 0 && <ErrorNotice error={save.error} />}
        <Card title="Company">
          <CompanyFields form={form} />
        </Card>
        <Card title="Documents, dates and locations">
          <PlaceFields form={form} currency={settings.currency} />
        </Card>
        <Card title="Labels">
          <Stack>
            <LabelFields form={form} />
            <FormButtons form={form} isBusy={save.isPending} save="Save settings" />
          </Stack>
        </Card>
      </Stack>
    </form>
  )
}
