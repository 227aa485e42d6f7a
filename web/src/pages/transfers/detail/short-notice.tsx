import { Button, Group, Text } from '@mantine/core'
import type { StockTransfer } from '../../../../../shared/schemas/stock-transfers.ts'
import { Notice } from '../../../components/feedback/notice.tsx'
import { LinkButton } from '../../../components/layout/link-button.tsx'
import type { TransferStep } from './transfer-step.ts'

type Props = { transfer: StockTransfer; step: TransferStep }

/** Shown when the source has less stock than the marked lines need. */
export const ShortNotice = ({ transfer: { id, sourceLocationName }, step }: Props) => (
  <Notice tone="waiting" title={`Not enough stock at ${sourceLocationName}`}>
    <Text c="#1c2024">
      No stock has moved. Lower the marked quantities, or ship anyway; stock at {sourceLocationName} will go
      negative until you count it.
    </Text>
    <Group gap="xs" mt="sm">
      <LinkButton size="xs" to="/transfers/$id/edit" params={{ id }}>
        Change quantities
      </LinkButton>
      <Button size="xs" variant="default" loading={step.isBusy} onClick={step.shipAnyway}>
        Ship anyway
      </Button>
    </Group>
  </Notice>
)
