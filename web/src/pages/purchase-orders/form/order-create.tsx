import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useChange } from '../../../api/queries.ts'
import { ErrorNotice } from '../../../components/feedback/error-notice.tsx'
import { useDraftErrors } from '../../../components/forms/draft-errors.ts'
import { fieldErrors } from '../../../components/forms/form-errors.ts'
import { FormLock } from '../../../components/forms/form-lock.tsx'
import { SaveBar } from '../../../components/forms/save-bar.tsx'
import { PageBody, PageHeader } from '../../../components/layout/page.tsx'
import { useSettings } from '../../../components/shop/settings.tsx'
import { emptyDraft, inputOf, isSame } from './draft.ts'
import { OrderForm } from './order-form.tsx'

const route = getRouteApi('/purchase-orders/new')

export function OrderCreate() {
  const { supplierId = null } = route.useSearch()
  const { timeZone } = useSettings()
  const navigate = useNavigate()
  const [draft, setDraft] = useState(() => emptyDraft(supplierId))
  const { errors, setErrors } = useDraftErrors(draft)
  const create = useChange('POST /purchase-orders', {
    onDone: ({ id }) =>
      navigate({ to: '/purchase-orders/$id', params: { id }, replace: true, ignoreBlocker: true }),
    onRefused: (error) => setErrors(fieldErrors(error)),
  })
  const save = () => {
    setErrors({})
    if (draft.supplierId === null) return setErrors({ supplierId: 'Choose a supplier.' })
    create.mutate({ body: inputOf(draft, timeZone) })
  }
  return (
    <PageBody>
      <PageHeader title="New purchase order" back={{ to: '/purchase-orders', name: 'Purchase orders' }} />
      {create.error && <ErrorNotice error={create.error} fields={errors} />}
      <FormLock isBusy={create.isPending}>
        <OrderForm draft={draft} onChange={setDraft} errors={errors} stored={undefined} />
      </FormLock>
      <SaveBar
        isNew
        isDirty={!isSame(draft, emptyDraft(supplierId)) && !create.isSuccess}
        isBusy={create.isPending}
        save="Save draft"
        onSave={save}
        onDiscard={() => {
          setDraft(emptyDraft(supplierId))
          setErrors({})
        }}
      />
    </PageBody>
  )
}
