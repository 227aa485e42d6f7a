import { Button, Group, Text } from '@mantine/core'
import type { VariantCosts } from '../../../../shared/schemas/costs.ts'
import { useChange } from '../../api/queries.ts'
import { Notice } from '../../components/feedback/notice.tsx'
import { notifyDone, notifyRefused } from '../../components/feedback/notify.ts'
import { useFormat } from '../../components/shop/format.ts'

type Props = { id: string; writeBack: NonNullable<VariantCosts['writeBack']> }

/** The cost that the shop does not have yet; for one that the shop refused, a person decides. */
export function CostWriteBack({ id, writeBack: { cost, state, reason } }: Props) {
  const format = useFormat()
  const retry = useChange('POST /variants/:id/cost-push/retry', { onRefused: notifyRefused })
  const discard = useChange('POST /variants/:id/cost-push/discard', {
    onDone: () => notifyDone('Change discarded. Your shop keeps its cost.'),
    onRefused: notifyRefused,
  })
  if (state === 'waiting') {
    return (
      <Text size="sm" c="dimmed" mt="sm">
        {format.cost(cost)} will be written to your shop.
      </Text>
    )
  }
  const isBusy = retry.isPending || discard.isPending
  return (
    <Notice tone="bad" title="Your shop refused the cost">
      <Text c="#1c2024">
        {format.cost(cost)} could not be written to your shop. {reason}
      </Text>
      <Group gap="xs" mt="sm">
        <Button size="xs" disabled={isBusy} onClick={() => retry.mutate({ params: { id } })}>
          Try again
        </Button>
        <Button
          size="xs"
          variant="default"
          disabled={isBusy}
          onClick={() => discard.mutate({ params: { id } })}
        >
          Discard
        </Button>
      </Group>
    </Notice>
  )
}
