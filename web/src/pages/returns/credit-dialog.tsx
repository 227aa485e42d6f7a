import { TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import type { SupplierReturn } from '../../../../shared/schemas/supplier-returns.ts'
import { readQuery, useChange } from '../../api/queries.ts'
import { notifyDone } from '../../components/feedback/notify.ts'
import { fieldErrors } from '../../components/forms/form-errors.ts'
import { NumberField } from '../../components/forms/number-field.tsx'
import { RecordDialog, RecordForm, type RecordFormOf } from '../../components/forms/record-dialog.tsx'
import { changedFields } from '../../components/forms/record-save.ts'
import { useTheirs } from '../../components/forms/their-changes.ts'
import { useFormat } from '../../components/shop/format.ts'
import { useLastRateText } from '../../components/shop/last-rate.ts'
import { useSettings } from '../../components/shop/settings.tsx'
import { differencesOf } from './return-differences.ts'

type Props = { stored: SupplierReturn; isOpen: boolean; onClose: () => void }

/** Enters or corrects the supplier's credit note. */
export const CreditDialog = ({ stored, isOpen, onClose }: Props) => (
  <RecordDialog title={`Credit of ${stored.supplierName}`} edited={isOpen ? stored : null} onClose={onClose}>
    {({ record, ...form }) => record && <CreditForm stored={record} {...form} />}
  </RecordDialog>
)

type FormProps = Omit<RecordFormOf<SupplierReturn>, 'record'> & { stored: SupplierReturn }

function CreditForm({ stored: shown, onTake, onClose }: FormProps) {
  // as it was when the dialog was opened: the version of a later one would hide what another user changed meanwhile
  const [stored] = useState(shown)
  const { currency, creditAmount, creditReference, expectedCredit, rate } = stored
  const format = useFormat(currency)
  const { moneyIn, decimals, rate: formatRate } = format
  const lastRateText = useLastRateText(currency)
  const shopCurrency = useSettings().currency
  const form = useForm({
    initialValues: {
      creditAmount: creditAmount ?? expectedCredit ?? ('' as number | ''),
      creditReference,
      rate: rate ?? ('' as number | ''),
    },
  })
  const { theirs, unread, readTheirs } = useTheirs(
    readQuery('GET /supplier-returns/:id', { params: { id: stored.id } }),
  )
  const credit = useChange('POST /supplier-returns/:id/credit', {
    onDone: () => {
      onClose()
      notifyDone('Credit saved')
    },
    onRefused: async (error) => {
      form.setErrors(fieldErrors(error))
      await readTheirs(error)
    },
  })
  const isForeign = currency !== shopCurrency
  const save = ({ version, rate: storedRate } = stored) =>
    form.onSubmit(({ creditAmount: amount, creditReference: reference, rate: typed }) => {
      if (amount === '') return form.setErrors({ creditAmount: 'Enter the amount of the credit.' })
      const ownRate = isForeign && typed !== '' && typed !== storedRate ? { rate: typed } : {}
      credit.mutate({
        params: { id: stored.id },
        body: { creditAmount: amount, creditReference: reference, ...ownRate, version },
      })
    })()
  const shownOf = (record: SupplierReturn) => ({
    Amount: record.creditAmount === null ? 'empty' : moneyIn(record.creditAmount, currency),
    'Number of the credit note': record.creditReference || 'empty',
    Rate: record.rate === null ? 'empty' : formatRate(record.rate),
  })
  return (
    <RecordForm
      noun="credit"
      isBusy={credit.isPending}
      error={unread ?? credit.error}
      hasFieldErrors={Object.keys(form.errors).length > 0}
      differences={
        theirs && [
          ...changedFields(shownOf(stored), shownOf(theirs)),
          ...differencesOf(stored, theirs, format),
        ]
      }
      onKeep={() => theirs && save(theirs)}
      onTake={() => theirs && onTake(theirs)}
      onSave={() => save()}
      onClose={onClose}
    >
      <NumberField
        label={`Amount in ${currency}`}
        description={
          expectedCredit === null
            ? undefined
            : `You paid ${moneyIn(expectedCredit, currency)} for these goods, without taxes and charges`
        }
        withAsterisk
        data-autofocus
        decimals={decimals}
        currency={currency}
        {...form.getInputProps('creditAmount')}
      />
      <TextInput
        label="Number of the credit note"
        maxLength={100}
        {...form.getInputProps('creditReference')}
      />
      {isForeign && (
        <NumberField
          label={`1 ${currency} in ${shopCurrency}`}
          description={rate === null ? lastRateText : `Leave empty to keep ${formatRate(rate)}`}
          decimals={8}
          {...form.getInputProps('rate')}
        />
      )}
    </RecordForm>
  )
}
