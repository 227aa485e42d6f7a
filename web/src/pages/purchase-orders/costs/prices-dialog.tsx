import { Text } from '@mantine/core'
import { useState } from 'react'
import type { PurchaseOrder } from '../../../../../shared/schemas/purchase-orders.ts'
import { useChange } from '../../../api/queries.ts'
import { notifyDone } from '../../../components/feedback/notify.ts'
import { DialogForm } from '../../../components/forms/dialog-form.tsx'
import { FormDialog } from '../../../components/forms/form-dialog.tsx'
import { NumberField } from '../../../components/forms/number-field.tsx'

type Props = { order: PurchaseOrder; isOpen: boolean; onClose: () => void }

/** Enters prices that were to be agreed, after goods have arrived. */
export const PricesDialog = ({ order, isOpen, onClose }: Props) => (
  <FormDialog opened={isOpen} onClose={onClose} title="Enter prices">
    {isOpen && <PricesForm order={order} onClose={onClose} />}
  </FormDialog>
)

function PricesForm({ order, onClose }: Omit<Props, 'isOpen'>) {
  // as they were when the dialog was opened
  const [{ id, version, currency, lineItems }] = useState(order)
  const [prices, setPrices] = useState<Record<number, number | ''>>({})
  const save = useChange('PUT /purchase-orders/:id', {
    onDone: () => {
      onClose()
      notifyDone('Prices saved')
    },
  })
  const entries = lineItems.map((line) => {
    const costPrice = prices[line.id] ?? ''
    return { id: line.id, ...(costPrice !== '' && { costPrice }) }
  })
  const isEmpty = entries.every((entry) => !('costPrice' in entry))
  return (
    <DialogForm
      isBusy={save.isPending}
      isDisabled={isEmpty}
      error={save.error}
      onSave={() => {
        if (!isEmpty) save.mutate({ params: { id }, body: { version, lineItems: entries } })
      }}
      onClose={onClose}
    >
      <Text size="sm" c="dimmed">
        Quartermaster then updates the cost of the products that have arrived. The supplier gets no e-mail.
      </Text>
      {lineItems
        .filter(({ costPrice }) => costPrice === null)
        .map((line) => (
          <NumberField
            key={line.id}
            label={line.title}
            decimals={4}
            currency={currency}
            value={prices[line.id] ?? ''}
            onChange={(price) => setPrices((now) => ({ ...now, [line.id]: price }))}
          />
        ))}
    </DialogForm>
  )
}
