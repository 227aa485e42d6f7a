import { TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import type { SupplierReturn } from '../../../../shared/schemas/supplier-returns.ts'
import { useChange } from '../../api/queries.ts'
import { notifyDone } from '../../components/feedback/notify.ts'
import { DialogForm } from '../../components/forms/dialog-form.tsx'
import { FormDialog } from '../../components/forms/form-dialog.tsx'
import { fieldErrors } from '../../components/forms/form-errors.ts'
import { NumberField } from '../../components/forms/number-field.tsx'
import { useFormat } from '../../components/shop/format.ts'
import { useLastRateText } from '../../components/shop/last-rate.ts'
import { useSettings } from '../../components/shop/settings.tsx'

type Props = { stored: SupplierReturn; isOpen: boolean; onClose: () => void }

/** Enters or corrects the supplier's credit note. */
export const CreditDialog = ({ stored, isOpen, onClose }: Props) => (
  <FormDialog opened={isOpen} onClose={onClose} title={`Credit of ${stored.supplierName}`}>
    {isOpen && <CreditForm stored={stored} onClose={onClose} />}
  </FormDialog>
)

function CreditForm({ stored: shown, onClose }: Omit<Props, 'isOpen'>) {
  // as it was when the dialog was opened: the version of a later one would hide what another user changed meanwhile
  const [stored] = useState(shown)
  const { currency, creditAmount, creditReference, expectedCredit, rate } = stored
  const { moneyIn, decimals, rate: formatRate } = useFormat(currency)
  const lastRateText = useLastRateText(currency)
  const shopCurrency = useSettings().currency
  const form = useForm({
    initialValues: {
      creditAmount: creditAmount ?? expectedCredit ?? ('' as number | ''),
      creditReference,
      rate: rate ?? ('' as number | ''),
    },
  })
  const credit = useChange('POST /supplier-returns/:id/credit', {
    onDone: () => {
      onClose()
      notifyDone('Credit saved')
    },
    onRefused: (error) => form.setErrors(fieldErrors(error)),
  })
  const isForeign = currency !== shopCurrency
  const save = form.onSubmit(({ creditAmount: amount, creditReference: reference, rate: typed }) => {
    if (amount === '') return form.setErrors({ creditAmount: 'Enter the amount of the credit.' })
    const ownRate = isForeign && typed !== '' && typed !== rate ? { rate: typed } : {}
    credit.mutate({
      params: { id: stored.id },
      body: { creditAmount: amount, creditReference: reference, ...ownRate, version: stored.version },
    })
  })
  return (
    <DialogForm
      save="Save credit"
      isBusy={credit.isPending}
      error={Object.keys(form.errors).length === 0 && credit.error}
      onSave={save}
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
    </DialogForm>
  )
}
