import { Button, Group, Text } from '@mantine/core'
import type { StockTransfer } from '../../../../shared/schemas/stock-transfers.ts'
import { Notice } from '../../components/feedback/notice.tsx'
import { LinkButton } from '../../components/layout/link-button.tsx'
import type { TransferStep } from './transfer-step.ts'

type Props = { transfer: StockTransfer; step: TransferStep }

/** The source has too little of what is marked below: what to do, or to go on all the same. */
export const ShortNotice = ({ transfer: { id, sourceLocationName }, step }: Props) => (
  <Notice tone="waiting" title={`There is not enough at ${sourceLocationName}`}>
    <Text c="#1c2024">
      Nothing has moved. Lower the quantities that are marked below, or count what is there. If the goods are
      in your hands all the same, go on: the stock at {sourceLocationName} then shows less than nothing until
      it is counted.
    </Text>
    <Group gap="xs" mt="sm">
      <LinkButton size="xs" to="/transfers/$id/edit" params={{ id }}>
        Change quantities
      </LinkButton>
      <Button size="xs" variant="default" loading={step.isBusy} onClick={step.takeAnyway}>
        Ship anyway
      </Button>
    </Group>
  </Notice>
)
