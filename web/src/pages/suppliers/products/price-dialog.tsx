import { ActionIcon, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { type UseFormReturnType, useForm } from '@mantine/form'
import { IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import type { SupplierPrice, SupplierProduct } from '../../../../../shared/schemas/supplier-products.ts'
import { useChange } from '../../../api/queries.ts'
import { Confirm } from '../../../components/feedback/confirm.tsx'
import { ErrorNotice } from '../../../components/feedback/error-notice.tsx'
import { FormDialog } from '../../../components/forms/form-dialog.tsx'
import { FormLock } from '../../../components/forms/form-lock.tsx'
import { NumberField } from '../../../components/forms/number-field.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import { useSettings } from '../../../components/shop/settings.tsx'
import { dayOf } from '../../../components/shop/shop-days.ts'
import { RowTable } from '../../../components/tables/row-table.tsx'
import { addPrice, type NewPrice } from './price-days.ts'
import { addedOf, errorsOf, fateOf, inputOf, orderFault, yearFault } from './price-form.ts'

type Props = {
  product: SupplierProduct
  /** The supplier's, in which a new price is unless another one is typed. */
  currency: string
  onClose: () => void
}

const sourceNames: Record<SupplierPrice['source'], string> = {
  typed: 'Entered by hand',
  import: 'From a price list',
  order: 'From an order',
  receipt: 'From a receipt',
}

/** Every price of a product at a supplier: earlier ones, today's breaks, and those that begin later. */
export function PriceDialog({ product, currency, onClose }: Props) {
  const { count, costIn, calendarDay } = useFormat()
  const textOf = ({ price, currency }: SupplierPrice) => costIn(price, currency)
  const { id, supplierId, title, prices, version } = product
  const today = dayOf(new Date().toISOString(), useSettings().timeZone)
  const form = useForm({
    initialValues: { price: '', currency, minQuantity: '1', validFrom: '', validTo: '' } as NewPriceValues,
    validate: {
      price: (price) => (price === '' ? 'Enter a price.' : null),
      validFrom: yearFault,
      validTo: (validTo, { validFrom }) => yearFault(validTo) ?? orderFault(validFrom, validTo),
    },
  })
  const [deleted, setDeleted] = useState<SupplierPrice | null>(null)
  const added = addedOf(form.values)
  const addition = added && addPrice(prices, added, today)
  const save = useChange('PUT /suppliers/:id/products/:supplierProductId', {
    // the dialog that deletes a price shows its own error
    onRefused: (error, { body }) => deleted ?? form.setErrors(errorsOf(error, body.prices)),
  })
  const store = (list: readonly NewPrice[], onSuccess?: () => void) =>
    save.mutate(
      {
        params: { id: supplierId, supplierProductId: id },
        body: { version, prices: list.map(inputOf) },
      },
      { onSuccess },
    )
  const add = form.onSubmit(() => {
    if (addition) store(addition.prices, form.reset)
    else form.setFieldError('price', 'This price already holds on these days.')
  })
  const remove = (gone: SupplierPrice) =>
    store(
      prices.filter((price) => price.id !== gone.id),
      () => setDeleted(null),
    )
  return (
    <>
      <FormDialog opened={deleted === null} onClose={onClose} title={`Prices of ${title}`} size={840}>
        <Stack>
          {save.error && Object.keys(form.errors).length === 0 && <ErrorNotice error={save.error} />}
          {prices.length === 0 ? (
            <Text c="dimmed">No prices yet. Add the first one below.</Text>
          ) : (
            <Prices prices={prices} isBusy={save.isPending} onDelete={setDeleted} />
          )}
          <form onSubmit={add} noValidate>
            <FormLock isBusy={save.isPending}>
              <NewPriceFields form={form} isBusy={save.isPending} />
              {/* always there: a screen reader announces what changes in it */}
              <div role="status">
                {addition?.shortened.map((change) => (
                  <Text key={change.price.id} size="sm" mt="xs">
                    {textOf(change.price)} from {count(change.price.minQuantity)}{' '}
                    {fateOf(change, calendarDay)}.
                  </Text>
                ))}
              </div>
            </FormLock>
          </form>
        </Stack>
      </FormDialog>
      <Confirm
        isOpen={deleted !== null}
        title={`Delete the price ${deleted ? textOf(deleted) : ''}?`}
        confirm="Delete"
        isDestructive
        isBusy={save.isPending}
        error={save.error}
        onConfirm={() => deleted && remove(deleted)}
        onCancel={() => setDeleted(null)}
      >
        New orders no longer use it. Orders keep their lines.
      </Confirm>
    </>
  )
}

/** Without it, a date field takes years of six digits. */
const lastDay = '9999-12-31'

type PriceProps = {
  prices: readonly SupplierPrice[]
  isBusy: boolean
  onDelete: (price: SupplierPrice) => void
}

function Prices({ prices, isBusy, onDelete }: PriceProps) {
  const { count, costIn, calendarDay } = useFormat()
  const textOf = ({ price, currency }: SupplierPrice) => costIn(price, currency)
  return (
    <RowTable
      label="Prices"
      rows={prices}
      keyOf={(price) => price.id}
      columns={[
        {
          name: 'From quantity',
          cell: ({ minQuantity }) => `From ${count(minQuantity)}`,
        },
        { name: 'Price', cell: textOf, isNumber: true },
        {
          name: 'Valid',
          cell: ({ validFrom, validTo }) =>
            validFrom === null && validTo === null
              ? 'Always'
              : `${validFrom ? calendarDay(validFrom) : '…'} – ${validTo ? calendarDay(validTo) : '…'}`,
        },
        { name: 'Origin', cell: ({ source }) => sourceNames[source] },
        {
          name: 'Actions',
          isAction: true,
          cell: (price) => (
            <ActionIcon
              variant="subtle"
              color="dark.6"
              aria-label={`Delete the price ${textOf(price)} from ${price.minQuantity}`}
              disabled={isBusy}
              onClick={() => onDelete(price)}
            >
              <IconTrash size={18} />
            </ActionIcon>
          ),
        },
      ]}
    />
  )
}

type NewPriceValues = Record<'price' | 'currency' | 'minQuantity' | 'validFrom' | 'validTo', string>

type FieldProps = { form: UseFormReturnType<NewPriceValues>; isBusy: boolean }

const NewPriceFields = ({ form, isBusy }: FieldProps) => (
  <Group align="flex-start" gap="xs">
    <NumberField
      label="New price"
      decimals={4}
      currency={form.values.currency}
      w={130}
      {...form.getInputProps('price')}
    />
    <TextInput
      label="Currency"
      w={90}
      maxLength={3}
      {...form.getInputProps('currency')}
      onChange={(event) => form.setFieldValue('currency', event.currentTarget.value.toUpperCase())}
    />
    <NumberField label="From quantity" w={130} {...form.getInputProps('minQuantity')} />
    <TextInput label="Valid from" type="date" max={lastDay} {...form.getInputProps('validFrom')} />
    <TextInput label="Valid to" type="date" max={lastDay} {...form.getInputProps('validTo')} />
    <Button type="submit" mt={24} loading={isBusy}>
      Add
    </Button>
  </Group>
)
