import { Radio, Stack, Text } from '@mantine/core'
import { type RefObject, useState } from 'react'
import type { StockTransfer } from '../../../../shared/schemas/stock-transfers.ts'
import { useChange } from '../../api/queries.ts'
import { Confirm } from '../../components/feedback/confirm.tsx'
import { notifyDone } from '../../components/feedback/notify.ts'
import { useFormat } from '../../components/shop/format.ts'
import { sumOf } from './variant-lines.ts'

type Props = {
  transfer: StockTransfer
  isOpen: boolean
  onClose: () => void
  returnTo: RefObject<HTMLElement | null>
}

/** Ends a transfer of which not everything arrives: the merchant says where the rest is. */
export function CloseDialog({ transfer, isOpen, onClose, returnTo }: Props) {
  const { id, items, sourceLocationName } = transfer
  const { many } = useFormat()
  const [rest, setRest] = useState<'returned' | 'lost'>('returned')
  const close = useChange('POST /stock-transfers/:id/close', {
    onDone: () => {
      onClose()
      notifyDone(`Transfer #${id} closed`)
    },
  })
  const inTransit = sumOf(items, (item) => item.inTransit)
  const toShip = sumOf(items, ({ quantity, shipped }) => quantity - shipped)
  return (
    <Confirm
      isOpen={isOpen}
      title={`Close transfer #${id}?`}
      confirm="Close the transfer"
      dismiss="Keep the transfer"
      isDestructive
      isBusy={close.isPending}
      error={close.error}
      onConfirm={() => close.mutate({ params: { id }, body: { rest } })}
      onCancel={onClose}
      returnTo={returnTo}
    >
      <Stack gap="sm">
        {inTransit > 0 && (
          <Radio.Group
            label={`What became of the ${many(inTransit, 'piece')} in transit?`}
            value={rest}
            onChange={(value) => setRest(value === 'lost' ? 'lost' : 'returned')}
          >
            <Stack gap="xs" mt="xs">
              <Radio value="returned" label={`They go back to ${sourceLocationName}`} />
              <Radio value="lost" label="They are lost, and leave your stock and its value" />
            </Stack>
          </Radio.Group>
        )}
        {toShip > 0 && <Text size="sm">{many(toShip, 'planned piece')} will not be shipped any more.</Text>}
      </Stack>
    </Confirm>
  )
}
