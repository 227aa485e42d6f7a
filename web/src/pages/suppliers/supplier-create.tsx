import { Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useChange } from '../../api/queries.ts'
import { ErrorNotice } from '../../components/feedback/error-notice.tsx'
import { notifyDone } from '../../components/feedback/notify.ts'
import { FormBar } from '../../components/forms/form-bar.tsx'
import { fieldErrors } from '../../components/forms/form-errors.ts'
import { FormLock } from '../../components/forms/form-lock.tsx'
import { Card } from '../../components/layout/card.tsx'
import { PageBody, PageHeader } from '../../components/layout/page.tsx'
import { usePageNavigate } from '../../components/layout/page-navigate.ts'
import { aliasErrors } from './supplier-edit.tsx'
import { inputOf, noSupplier, SupplierFields } from './supplier-fields.tsx'

export function SupplierCreate() {
  const navigate = usePageNavigate()
  const form = useForm({ initialValues: noSupplier })
  const create = useChange('POST /suppliers', {
    isForm: true,
    onDone: ({ id, name }) => {
      notifyDone(`${name} created`)
      return navigate({ to: '/suppliers/$id', params: { id }, replace: true, ignoreBlocker: true })
    },
    onRefused: (error) => form.setErrors(aliasErrors(fieldErrors(error))),
  })
  const submit = form.onSubmit((values) => create.mutate({ body: inputOf(values) }))
  return (
    <PageBody>
      <form onSubmit={submit} noValidate>
        <Stack>
          <PageHeader title="Create a supplier" back={{ to: '/suppliers', name: 'Suppliers' }} />
          {create.error && Object.keys(form.errors).length === 0 && <ErrorNotice error={create.error} />}
          <FormLock isBusy={create.isPending}>
            <Card>
              <SupplierFields form={form} />
            </Card>
          </FormLock>
        </Stack>
        <FormBar
          form={form}
          isBusy={create.isPending}
          isNew
          isSaved={create.isSuccess}
          onSave={submit}
          onDiscard={create.discard}
        />
      </form>
    </PageBody>
  )
}
