import { Button, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import type { PurchaseOrder } from '../../../../../shared/schemas/purchase-orders.ts'
import { readQuery, useChange } from '../../../api/queries.ts'
import { fieldErrors } from '../../../components/forms/form-errors.ts'
import { RecordDialog, RecordForm, type RecordFormOf } from '../../../components/forms/record-dialog.tsx'
import { useTheirs } from '../../../components/forms/their-changes.ts'
import { Card } from '../../../components/layout/card.tsx'
import { Facts } from '../../../components/layout/detail.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import { useSettings } from '../../../components/shop/settings.tsx'
import { dayOf, endOfDay } from '../../../components/shop/shop-days.ts'
import { differencesOf } from '../form/order-differences.ts'

/** The supplier's invoice: its number, its days, and whether it is paid. */
export function OrderInvoice({ order }: { order: PurchaseOrder }) {
  const format = useFormat()
  const [isOpen, setOpen] = useState(false)
  const { invoiceNumber, invoiceDate, paymentDueOn, paidAt } = order
  const isEmpty = !invoiceNumber && !invoiceDate && !paymentDueOn && !paidAt
  return (
    <Card
      title="Invoice"
      action={
        <Button size="xs" variant="default" onClick={() => setOpen(true)}>
          {isEmpty ? 'Enter invoice' : 'Edit invoice'}
        </Button>
      }
    >
      {isEmpty ? (
        <Text size="sm" c="dimmed">
          No invoice yet. Enter its number, its dates and its payment when it arrives.
        </Text>
      ) : (
        <Facts
          facts={[
            ['Number', invoiceNumber || '—'],
            ['Invoice date', invoiceDate ? format.calendarDay(invoiceDate) : '—'],
            ['Payment due', paymentDueOn ? format.calendarDay(paymentDueOn) : '—'],
            ['Paid', paidAt ? format.day(paidAt) : 'Not yet'],
          ]}
        />
      )}
      <RecordDialog title="Invoice" edited={isOpen ? order : null} onClose={() => setOpen(false)}>
        {({ record, ...form }) => record && <InvoiceForm order={record} {...form} />}
      </RecordDialog>
    </Card>
  )
}

type FormProps = Omit<RecordFormOf<PurchaseOrder>, 'record'> & { order: PurchaseOrder }

function InvoiceForm({ order: shown, onTake, onClose }: FormProps) {
  // as it was when the dialog was opened: the version of a later one would hide what another user changed meanwhile
  const [order] = useState(shown)
  const { timeZone } = useSettings()
  const paidDayOf = ({ paidAt }: PurchaseOrder) => (paidAt === null ? '' : dayOf(paidAt, timeZone))
  const form = useForm({
    initialValues: {
      invoiceNumber: order.invoiceNumber,
      invoiceDate: order.invoiceDate ?? '',
      paymentDueOn: order.paymentDueOn ?? '',
      paidAt: paidDayOf(order),
    },
  })
  const format = useFormat()
  const { theirs, unread, readTheirs } = useTheirs(
    readQuery('GET /purchase-orders/:id', { params: { id: order.id } }),
  )
  const change = useChange('PUT /purchase-orders/:id', {
    onDone: onClose,
    onRefused: async (error: unknown) => {
      form.setErrors(fieldErrors(error))
      await readTheirs(error)
    },
  })
  const save = (current = order) =>
    form.onSubmit(({ invoiceNumber, invoiceDate, paymentDueOn, paidAt }) => {
      change.mutate({
        params: { id: order.id },
        body: {
          invoiceNumber,
          invoiceDate: invoiceDate || null,
          paymentDueOn: paymentDueOn || null,
          // the same day keeps its time, such as that of an import
          ...(paidAt !== paidDayOf(current) && { paidAt: paidAt ? endOfDay(paidAt, timeZone) : null }),
          version: current.version,
        },
      })
    })()
  return (
    <RecordForm
      noun="invoice"
      versioned="order"
      isBusy={change.isPending}
      error={unread ?? change.error}
      hasFieldErrors={Object.keys(form.errors).length > 0}
      differences={theirs && differencesOf(order, theirs, format)}
      onKeep={() => theirs && save(theirs)}
      onTake={() => theirs && onTake(theirs)}
      onSave={() => save()}
      onClose={onClose}
    >
      <TextInput label="Invoice number" data-autofocus {...form.getInputProps('invoiceNumber')} />
      <TextInput type="date" label="Invoice date" {...form.getInputProps('invoiceDate')} />
      <TextInput type="date" label="Payment due" {...form.getInputProps('paymentDueOn')} />
      <TextInput type="date" label="Paid on" {...form.getInputProps('paidAt')} />
    </RecordForm>
  )
}
