import { Button, Group, Text } from '@mantine/core'
import type { StockPush, StockPushState } from '../../../../../shared/schemas/stock-pushes.ts'
import type { Format } from '../../../components/shop/formats.ts'
import { DocumentLink } from '../../../components/tables/document-link.tsx'
import type { Look } from '../../../components/tables/looks.ts'
import type { Column } from '../../../components/tables/row-table.tsx'
import { Badge } from '../../../components/tables/status-badge.tsx'
import { PushLines } from './push-lines.tsx'

const looks: Record<StockPushState, Look> = {
  queued: ['Waiting', 'waiting'],
  sending: ['Sending', 'info'],
  failed: ['Failed', 'bad'],
}

type Actions = { onRetry: (push: StockPush) => void; onDiscard: (push: StockPush) => void }

export const pushColumns = (
  { ago, dateTime }: Format,
  { onRetry, onDiscard }: Actions,
): Column<StockPush>[] => [
  {
    name: 'Change',
    cell: (push) => (
      <div>
        <PushLines push={push} />
        {push.error && (
          <Text size="sm" mt={4} c="var(--mantine-color-error)">
            {push.error}
          </Text>
        )}
      </div>
    ),
  },
  {
    name: 'Document',
    cell: ({ reference }) => (reference ? <DocumentLink reference={reference} /> : 'Manual'),
  },
  { name: 'State', cell: ({ state }) => <Badge look={looks[state]} /> },
  { name: 'Since', cell: ({ createdAt }) => <span title={dateTime(createdAt)}>{ago(createdAt)}</span> },
  {
    name: 'Actions',
    isAction: true,
    cell: (push) =>
      push.state === 'failed' && (
        <Group gap="xs" justify="flex-end" wrap="nowrap">
          <Button
            variant="default"
            size="xs"
            aria-label={`Discard ${nameOf(push)}`}
            onClick={() => onDiscard(push)}
          >
            Discard
          </Button>
          <Button size="xs" aria-label={`Try again ${nameOf(push)}`} onClick={() => onRetry(push)}>
            Try again
          </Button>
        </Group>
      ),
  },
]

/** Distinguishes the buttons of the rows for screen readers. */
const nameOf = ({ lines: [first] }: StockPush) => (first ? `${first.title} at ${first.locationName}` : '')
