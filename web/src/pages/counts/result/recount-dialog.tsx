import { Stack } from '@mantine/core'
import { useState } from 'react'
import { useChange } from '../../../api/queries.ts'
import { Confirm } from '../../../components/feedback/confirm.tsx'
import { notifyDone } from '../../../components/feedback/notify.ts'
import { fieldErrors } from '../../../components/forms/form-errors.ts'
import { NumberField } from '../../../components/forms/number-field.tsx'
import { useFormat } from '../../../components/shop/format.ts'

type Props = { id: number; isOpen: boolean; onClose: () => void; onStarted: () => unknown }

/** Asks above which variance a product is counted again. */
export function RecountDialog({ id, isOpen, onClose, onStarted }: Props) {
  const { currency, many } = useFormat()
  const [value, setValue] = useState<number | string>('')
  const [percent, setPercent] = useState<number | string>('')
  const recount = useChange('POST /stock-counts/:id/recount', {
    onDone: async ({ recount: started }) => {
      onClose()
      await onStarted()
      notifyDone(`Recount of ${many(started?.itemCount ?? 0, 'product')} started`)
    },
  })
  const errors = fieldErrors(recount.error)
  return (
    <Confirm
      isOpen={isOpen}
      title={`Recount of count #${id}`}
      confirm="Start recount"
      isBusy={recount.isPending}
      error={Object.keys(errors).length === 0 ? recount.error : null}
      onConfirm={() =>
        recount.mutate({
          params: { id },
          body: {
            ...(value !== '' && { varianceValueAbove: Number(value) }),
            ...(percent !== '' && { variancePercentAbove: Number(percent) }),
          },
        })
      }
      onCancel={onClose}
    >
      <Stack>
        Another person counts the products with a difference above one of these limits. Until then, their
        first numbers stay.
        <NumberField
          label={`Difference above (${currency})`}
          decimals={2}
          currency={currency}
          value={value}
          onChange={setValue}
          error={errors.varianceValueAbove && 'Enter an amount or a percentage, 0 for all differences.'}
        />
        <NumberField
          label="Difference above (%)"
          decimals={2}
          value={percent}
          onChange={setPercent}
          error={errors.variancePercentAbove}
        />
      </Stack>
    </Confirm>
  )
}
