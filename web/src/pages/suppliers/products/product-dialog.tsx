import '@mantine/core/styles/Switch.css'
import { Switch, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import type { SupplierProduct } from '../../../../../shared/schemas/supplier-products.ts'
import { useChange } from '../../../api/queries.ts'
import { notifyDone } from '../../../components/feedback/notify.ts'
import { DialogForm } from '../../../components/forms/dialog-form.tsx'
import { FormDialog } from '../../../components/forms/form-dialog.tsx'
import { fieldErrors } from '../../../components/forms/form-errors.ts'
import { useFormat } from '../../../components/shop/format.ts'

type Props = { product: SupplierProduct; onClose: () => void }

/** The fields of a product at a supplier that few products need, and its last cost. */
export function ProductDialog({ product, onClose }: Props) {
  const { costIn, day } = useFormat()
  // as it was opened: what a colleague saves meanwhile is a conflict
  const [{ id, supplierId, title, version, supplierTitle, packBarcode, isActive }] = useState(product)
  const form = useForm({ initialValues: { supplierTitle, packBarcode, isActive } })
  const save = useChange('PUT /suppliers/:id/products/:supplierProductId', {
    onDone: () => {
      notifyDone(`${title} saved`)
      onClose()
    },
    onRefused: (error) => form.setErrors(fieldErrors(error)),
  })
  const { lastCost, lastCostAt, currency } = product
  return (
    <FormDialog opened onClose={onClose} title={title}>
      <DialogForm
        isBusy={save.isPending}
        error={Object.keys(form.errors).length === 0 && save.error}
        onSave={form.onSubmit((values) =>
          save.mutate({
            params: { id: supplierId, supplierProductId: id },
            body: { version, ...values },
          }),
        )}
        onClose={onClose}
      >
        <Text>
          {lastCost === null
            ? 'Not ordered from this supplier yet'
            : `Last cost ${costIn(lastCost, currency)} on ${day(lastCostAt)}`}
        </Text>
        <TextInput
          label="Title at the supplier"
          maxLength={500}
          data-autofocus
          {...form.getInputProps('supplierTitle')}
        />
        <TextInput
          label="Barcode of the pack"
          description="A scan of it counts a whole pack"
          maxLength={100}
          {...form.getInputProps('packBarcode')}
        />
        <Switch
          label="Active"
          description="Orders and suggestions use the prices and packs of active products only"
          {...form.getInputProps('isActive', { type: 'checkbox' })}
        />
      </DialogForm>
    </FormDialog>
  )
}
