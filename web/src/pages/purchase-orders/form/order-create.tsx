import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { readQuery, useChange } from '../../../api/queries.ts'
import { ErrorNotice } from '../../../components/feedback/error-notice.tsx'
import { Loaded } from '../../../components/feedback/loaded.tsx'
import { useDraftErrors } from '../../../components/forms/draft-errors.ts'
import { fieldErrors } from '../../../components/forms/form-errors.ts'
import { FormLock } from '../../../components/forms/form-lock.tsx'
import { SaveBar } from '../../../components/forms/save-bar.tsx'
import { PageBody, PageHeader } from '../../../components/layout/page.tsx'
import { usePageNavigate } from '../../../components/layout/page-navigate.ts'
import { useSettings } from '../../../components/shop/settings.tsx'
import { withAdded } from './added-lines.ts'
import { type Draft, emptyDraft, inputOf, isSame } from './draft.ts'
import { OrderForm } from './order-form.tsx'

const route = getRouteApi('/purchase-orders/new')

/** A new order, empty or with what a link names. */
export function OrderCreate() {
  const { supplierId = null, variantId, quantity = 1, locationId = null } = route.useSearch()
  const query = useQuery({
    ...readQuery('GET /variants/:id', { params: { id: variantId ?? '' } }),
    enabled: variantId !== undefined,
  })
  const empty = { ...emptyDraft(supplierId), destinationLocationId: locationId }
  if (variantId === undefined) return <NewOrder initial={empty} />
  return (
    <Loaded query={query}>
      {({ productId, variantId, sku, title, unitCost }) => {
        const variant = { productId, variantId, sku, title, costPrice: unitCost }
        return (
          <NewOrder initial={{ ...empty, lines: withAdded([], [{ variant, quantity, costPrice: '' }]) }} />
        )
      }}
    </Loaded>
  )
}

function NewOrder({ initial }: { initial: Draft }) {
  const { timeZone } = useSettings()
  const navigate = usePageNavigate()
  // as the page was opened: each render makes another draft
  const [start] = useState(initial)
  const [draft, setDraft] = useState(start)
  const { errors, setErrors } = useDraftErrors(draft)
  const create = useChange('POST /purchase-orders', {
    isForm: true,
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
      <PageHeader title="Create an order" back={{ to: '/purchase-orders', name: 'Purchase orders' }} />
      {create.error && <ErrorNotice error={create.error} fields={errors} />}
      <FormLock isBusy={create.isPending}>
        <OrderForm draft={draft} onChange={setDraft} errors={errors} stored={undefined} />
      </FormLock>
      <SaveBar
        isNew
        isDirty={!isSame(draft, start) && !create.isSuccess}
        isBusy={create.isPending}
        save="Save draft"
        onSave={save}
        onDiscard={() => {
          setDraft(start)
          setErrors({})
          create.discard()
        }}
      />
    </PageBody>
  )
}
