import '@mantine/core/styles/Switch.css'
import { Button, Group, Stack, Switch, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import type { SupplierProduct } from '../../../../../shared/schemas/supplier-products.ts'
import { useChange } from '../../../api/queries.ts'
import { ErrorNotice } from '../../../components/feedback/error-notice.tsx'
import { notifyDone } from '../../../components/feedback/notify.ts'
import { FormDialog } from '../../../components/forms/form-dialog.tsx'
import { fieldErrors } from '../../../components/forms/form-errors.ts'
import { FormLock } from '../../../components/forms/form-lock.tsx'
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
      <form
        onSubmit={form.onSubmit((values) =>
          save.mutate({
            params: { id: supplierId, supplierProductId: id },
            body: { version, ...values },
          }),
        )}
        noValidate
      >
        <Stack>
          {save.error && Object.keys(form.errors).length === 0 && <ErrorNotice error={save.error} />}
          <Text>
            {lastCost === null
              ? 'Not ordered from this supplier yet'
              : `Last cost ${costIn(lastCost, currency)} on ${day(lastCostAt)}`}
          </Text>
          <FormLock isBusy={save.isPending}>
            <Stack>
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
            </Stack>
          </FormLock>
          <Group justify="flex-end" gap="xs">
            <Button variant="default" disabled={save.isPending} onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={save.isPending}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </FormDialog>
  )
}
