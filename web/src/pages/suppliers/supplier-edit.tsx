import { Button, Group, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Supplier } from '../../../../shared/schemas/suppliers.ts'
import { reading, showing, useChange } from '../../api/queries.ts'
import { Card } from '../../components/card.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { fieldErrors } from '../../components/form-errors.ts'
import { notifyDone } from '../../components/notify.ts'
import { UnsavedGuard } from '../../components/unsaved-guard.tsx'
import { formOf, inputOf, SupplierFields } from './supplier-fields.tsx'

/** A supplier's own data, saved together. */
export function SupplierEdit({ supplier }: { supplier: Supplier }) {
  const params = { id: supplier.id }
  const form = useForm({ initialValues: formOf(supplier) })
  const save = useChange('PUT /suppliers/:id', {
    shows: ({ body }) =>
      showing(reading('GET /suppliers/:id', { params }), (now) => ({ ...now, name: body.name ?? now.name })),
    onDone: () => {
      form.resetDirty()
      notifyDone('Saved.')
    },
    onRefused: (error) => form.setErrors(fieldErrors(error)),
  })
  return (
    <form onSubmit={form.onSubmit((values) => save.mutate({ params, body: inputOf(values) }))} noValidate>
      <Card title="Supplier">
        <Stack>
          {save.error && Object.keys(form.errors).length === 0 && <ErrorNotice error={save.error} />}
          <SupplierFields form={form} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" disabled={!form.isDirty()} onClick={form.reset}>
              Discard changes
            </Button>
            <Button type="submit" loading={save.isPending} disabled={!form.isDirty()}>
              Save
            </Button>
          </Group>
        </Stack>
      </Card>
      <UnsavedGuard when={form.isDirty()} />
    </form>
  )
}
