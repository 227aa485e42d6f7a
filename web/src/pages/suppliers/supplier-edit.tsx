import { Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Supplier } from '../../../../shared/schemas/suppliers.ts'
import { optimisticUpdate, readQuery, useChange } from '../../api/queries.ts'
import { ErrorNotice } from '../../components/feedback/error-notice.tsx'
import { notifyDone } from '../../components/feedback/notify.ts'
import { FormButtons } from '../../components/forms/form-buttons.tsx'
import { fieldErrors } from '../../components/forms/form-errors.ts'
import { UnsavedGuard } from '../../components/forms/unsaved-guard.tsx'
import { Card } from '../../components/layout/card.tsx'
import { formOf, inputOf, SupplierFields } from './supplier-fields.tsx'

export function SupplierEdit({ supplier }: { supplier: Supplier }) {
  const params = { id: supplier.id }
  const form = useForm({ initialValues: formOf(supplier) })
  const save = useChange('PUT /suppliers/:id', {
    optimistic: ({ body }) =>
      optimisticUpdate(readQuery('GET /suppliers/:id', { params }), (now) => ({
        ...now,
        name: body.name ?? now.name,
      })),
    onDone: () => notifyDone('Supplier saved'),
    onRefused: (error) => form.setErrors(fieldErrors(error)),
  })
  const submit = form.onSubmit((values) =>
    // compare with the values sent: edits during the save are still unsaved
    save.mutate({ params, body: inputOf(values) }, { onSuccess: () => form.resetDirty(values) }),
  )
  return (
    <form onSubmit={submit} noValidate>
      <Card title="Supplier">
        <Stack>
          {save.error && Object.keys(form.errors).length === 0 && <ErrorNotice error={save.error} />}
          <SupplierFields form={form} />
          <FormButtons form={form} isBusy={save.isPending} save="Save" />
        </Stack>
      </Card>
      <UnsavedGuard when={form.isDirty()} />
    </form>
  )
}
