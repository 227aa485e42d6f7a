import { Button, Select, Stack } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { PurchaseOrder } from '../../../../../shared/schemas/purchase-orders.ts'
import type { ReplenishmentBasis } from '../../../../../shared/schemas/replenishment.ts'
import { readQuery, useChange } from '../../../api/queries.ts'
import { ErrorNotice } from '../../../components/feedback/error-notice.tsx'
import { notifyDone } from '../../../components/feedback/notify.ts'
import { FormDialog } from '../../../components/forms/form-dialog.tsx'
import { FormLock } from '../../../components/forms/form-lock.tsx'
import { NumberField } from '../../../components/forms/number-field.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import { basisOptions, defaultDays } from '../../replenishment/plan-filter.ts'

type Mode = 'replace' | 'add'

/** Fills a draft with what its supplier should deliver. */
export function SuggestLines({ order }: { order: PurchaseOrder }) {
  const format = useFormat()
  const client = useQueryClient()
  const params = { id: order.id }
  const [isOpen, setOpen] = useState(false)
  const [days, setDays] = useState<number | string>(defaultDays)
  const [basis, setBasis] = useState<ReplenishmentBasis>('forecast')
  const [mode, setMode] = useState<Mode>('add')
  const suggest = useChange('POST /purchase-orders/:id/suggest', {
    onDone: ({ added, raised, left, isComplete }) => {
      setOpen(false)
      notifyDone(
        `${format.many(added, 'line')} added, ${format.count(raised)} raised${left > 0 ? `, ${format.count(left)} did not fit` : ''}${isComplete ? '' : '. Only the 5,000 products that run out first, and those of the order, were planned'}`,
      )
      return client.invalidateQueries({
        queryKey: readQuery('GET /purchase-orders/:id', { params }).queryKey,
      })
    },
  })
  const isValid = Number.isInteger(days) && Number(days) >= 1 && Number(days) <= 365
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setOpen(true)}>
        Suggest into this order
      </Button>
      <FormDialog opened={isOpen} onClose={() => setOpen(false)} title={`Suggest into ${order.poNumber}`}>
        <Stack>
          <FormLock isBusy={suggest.isPending}>
            <NumberField
              label="Order for days"
              value={days}
              onChange={setDays}
              min={1}
              max={365}
              error={isValid ? undefined : 'Enter 1 to 365 days.'}
            />
            <Select
              label="Based on"
              data={basisOptions}
              value={basis}
              onChange={(value) =>
                setBasis(basisOptions.find((option) => option.value === value)?.value ?? 'forecast')
              }
              allowDeselect={false}
            />
            <Select
              label="Lines of this order"
              data={[
                { value: 'add', label: 'Keep them, and raise quantities that are too low' },
                { value: 'replace', label: 'Replace by the suggestions' },
              ]}
              value={mode}
              onChange={(value) => setMode(value === 'replace' ? 'replace' : 'add')}
              allowDeselect={false}
            />
          </FormLock>
          {suggest.error !== null && <ErrorNotice error={suggest.error} />}
          <Button
            disabled={!isValid}
            loading={suggest.isPending}
            onClick={() =>
              suggest.mutate({ params, body: { days: Number(days), basis, mode, version: order.version } })
            }
          >
            Suggest
          </Button>
        </Stack>
      </FormDialog>
    </>
  )
}
