import '@mantine/core/styles/Radio.css'
import { Radio, Select, Stack, Text } from '@mantine/core'
import { type RefObject, useState } from 'react'
import type { StockTransfer } from '../../../../../shared/schemas/stock-transfers.ts'
import { useChange } from '../../../api/queries.ts'
import { Confirm } from '../../../components/feedback/confirm.tsx'
import { notifyDone } from '../../../components/feedback/notify.ts'
import { useFormat } from '../../../components/shop/format.ts'
import { linesByVariant, sumOf } from '../variant-lines.ts'

type Props = {
  transfer: StockTransfer
  isOpen: boolean
  onClose: () => void
  returnTo: RefObject<HTMLElement | null>
}

type Outcome = 'returned' | 'lost' | 'damaged'
const outcomes: { value: Outcome; label: string }[] = [
  { value: 'returned', label: 'Go back' },
  { value: 'lost', label: 'Lost' },
  { value: 'damaged', label: 'Damaged' },
]

/** Ends a transfer of which not everything arrives: the merchant says for each product what became of its pieces. */
export function CloseDialog({ transfer, isOpen, onClose, returnTo }: Props) {
  const { id, version, sourceLocationName } = transfer
  const { many } = useFormat()
  const [chosen, setChosen] = useState<Readonly<Record<string, Outcome>>>({})
  const all = linesByVariant(transfer)
  const lines = all.filter(({ inTransit }) => inTransit > 0)
  const outcomeOf = (variantId: string): Outcome => chosen[variantId] ?? 'returned'
  const [first] = lines
  const shared = first && lines.every(({ variantId }) => outcomeOf(variantId) === outcomeOf(first.variantId))
  const close = useChange('POST /stock-transfers/:id/close', {
    onDone: () => {
      onClose()
      notifyDone(`Transfer #${id} closed`)
    },
  })
  const items = lines.flatMap(({ variantId, inTransit: pieces }) => {
    const outcome = outcomeOf(variantId)
    return outcome === 'returned' ? [] : [{ variantId, [outcome]: pieces }]
  })
  const inTransit = sumOf(lines, (line) => line.inTransit)
  const toShip = sumOf(all, (line) => line.toShip)
  return (
    <Confirm
      isOpen={isOpen}
      title={`Close transfer #${id}?`}
      confirm="Close the transfer"
      dismiss="Keep the transfer"
      isDestructive
      isBusy={close.isPending}
      error={close.error}
      onConfirm={() =>
        close.mutate({
          params: { id },
          body: { rest: 'returned', version, ...(items.length > 0 && { items }) },
        })
      }
      onCancel={onClose}
      returnTo={returnTo}
    >
      <Stack gap="sm">
        {first && (
          <Radio.Group
            label={`What became of the ${many(inTransit, 'piece')} in transit?`}
            value={shared ? outcomeOf(first.variantId) : null}
            onChange={(value) =>
              setChosen(Object.fromEntries(lines.map(({ variantId }) => [variantId, value as Outcome])))
            }
          >
            <Stack gap="xs" mt="xs">
              <Radio value="returned" label={`They go back to ${sourceLocationName}`} />
              <Radio value="lost" label="They are lost, and leave your stock and its value" />
              <Radio value="damaged" label="They are damaged, and leave your stock and its value" />
            </Stack>
          </Radio.Group>
        )}
        {lines.length > 1 &&
          lines.map(({ variantId, title, inTransit: pieces }) => (
            <Select
              key={variantId}
              label={`${title}: ${many(pieces, 'piece')}`}
              data={outcomes}
              value={outcomeOf(variantId)}
              onChange={(value) => value && setChosen((now) => ({ ...now, [variantId]: value }))}
              allowDeselect={false}
            />
          ))}
        {toShip > 0 && <Text size="sm">{many(toShip, 'planned piece')} will not be shipped any more.</Text>}
      </Stack>
    </Confirm>
  )
}
