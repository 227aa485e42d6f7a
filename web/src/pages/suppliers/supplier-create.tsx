import { Button, Group, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useNavigate } from '@tanstack/react-router'
import { useChange } from '../../api/queries.ts'
import { ErrorNotice } from '../../components/feedback/error-notice.tsx'
import { notifyDone } from '../../components/feedback/notify.ts'
import { fieldErrors } from '../../components/forms/form-errors.ts'
import { UnsavedGuard } from '../../components/forms/unsaved-guard.tsx'
import { Card } from '../../components/layout/card.tsx'
import { PageBody, PageHeader } from '../../components/layout/page.tsx'
import { aliasErrors } from './supplier-edit.tsx'
import { inputOf, noSupplier, SupplierFields } from './supplier-fields.tsx'

export function SupplierCreate() {
  const navigate = useNavigate()
  const form = useForm({ initialValues: noSupplier })
  const create = useChange('POST /suppliers', {
    onDone: ({ id, name }) => {
      notifyDone(`${name} added`)
      return navigate({ to: '/suppliers/$id', params: { id }, replace: true, ignoreBlocker: true })
    },
    onRefused: (error) => form.setErrors(aliasErrors(fieldErrors(error))),
  })
  return (
    <PageBody>
      <form onSubmit={form.onSubmit((values) => create.mutate({ body: inputOf(values) }))} noValidate>
        <Stack>
          <PageHeader
            title="Add a supplier"
            back={{ to: '/suppliers', name: 'Suppliers' }}
            actions={
              <Button type="submit" loading={create.isPending}>
                Save
              </Button>
            }
          />
          {create.error && Object.keys(form.errors).length === 0 && <ErrorNotice error={create.error} />}
          <Card>
            <SupplierFields form={form} />
          </Card>
          <Group justify="flex-end">
            <Button type="submit" loading={create.isPending} hiddenFrom="sm">
              Save
            </Button>
          </Group>
        </Stack>
      </form>
      <UnsavedGuard when={form.isDirty() && !create.isSuccess} />
    </PageBody>
  )
}
