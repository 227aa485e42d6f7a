import { SimpleGrid, Textarea } from '@mantine/core'
import type { Dispatch, SetStateAction } from 'react'
import type { PurchaseOrder } from '../../../../../shared/schemas/purchase-orders.ts'
import type { FieldErrors } from '../../../components/forms/form-errors.ts'
import { Card } from '../../../components/layout/card.tsx'
import type { Draft } from './draft.ts'
import { OrderFields } from './order-fields.tsx'
import { OrderLines } from './order-lines.tsx'

export type OrderFormProps = {
  draft: Draft
  onChange: Dispatch<SetStateAction<Draft>>
  errors: FieldErrors
  /** The stored order; undefined for a new one. */
  stored: PurchaseOrder | undefined
}

/** The form of an order. After it is sent, its lines, supplier and currency cannot change; after receipt, only the rate. */
export function OrderForm({ draft, onChange, errors, stored }: OrderFormProps) {
  const set = <Name extends keyof Draft>(name: Name, value: Draft[Name]) =>
    onChange((now) => ({ ...now, [name]: value }))
  const isDraft = stored === undefined || stored.status === 'draft'
  return (
    <>
      <OrderFields draft={draft} onChange={onChange} errors={errors} stored={stored} />
      {isDraft && <OrderLines draft={draft} onChange={onChange} errors={errors} />}
      {stored?.status !== 'received' && (
        <Card title="Notes">
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <Textarea
              label="Note to the supplier"
              description="Printed on the order"
              autosize
              minRows={3}
              value={draft.supplierNotes}
              onChange={(event) => set('supplierNotes', event.currentTarget.value)}
              error={errors.supplierNotes}
            />
            <Textarea
              label="Internal note"
              description="Not shown to the supplier"
              autosize
              minRows={3}
              value={draft.notes}
              onChange={(event) => set('notes', event.currentTarget.value)}
              error={errors.notes}
            />
          </SimpleGrid>
        </Card>
      )}
    </>
  )
}
