import { Alert, Button, Group, List, Text } from '@mantine/core'
import { IconUsers } from '@tabler/icons-react'
import type { PurchaseOrder } from '../../../../shared/schemas/purchase-orders.ts'
import { useFormat } from '../../components/format.ts'
import { orderStatusName } from '../../components/status-badge.tsx'

type Props = { base: PurchaseOrder; theirs: PurchaseOrder; onKeep: () => void; onDiscard: () => void }

/** Somebody else saved the order first. Says what they changed, and lets this person decide; nothing is lost before. */
export function VersionConflict({ base, theirs, onKeep, onDiscard }: Props) {
  const differences = differencesOf(base, theirs, useFormat())
  const isEditable = theirs.status === base.status
  return (
    <Alert
      color="yellow.9"
      variant="light"
      icon={<IconUsers />}
      role="alert"
      title="Somebody else changed this order"
    >
      <Text c="#1c2024">
        What you have written is still below, and not saved yet. Meanwhile this was changed:
      </Text>
      <List size="sm" my="xs" c="#1c2024">
        {differences.map((difference) => (
          <List.Item key={difference}>{difference}</List.Item>
        ))}
      </List>
      <Group gap="xs">
        {isEditable && (
          <Button size="xs" onClick={onKeep}>
            Save mine in its place
          </Button>
        )}
        <Button size="xs" variant="default" onClick={onDiscard}>
          Discard mine, show theirs
        </Button>
      </Group>
    </Alert>
  )
}

function differencesOf(
  base: PurchaseOrder,
  theirs: PurchaseOrder,
  format: ReturnType<typeof useFormat>,
): string[] {
  const found: string[] = []
  const fields = [
    ['Status', orderStatusName(base.status), orderStatusName(theirs.status)],
    ['Supplier', base.supplierName, theirs.supplierName],
    [
      'Arrives at',
      base.destinationLocationName ?? 'primary location',
      theirs.destinationLocationName ?? 'primary location',
    ],
    ['Expected on', format.day(base.expectedAt), format.day(theirs.expectedAt)],
    ['Tax', format.money(base.tax), format.money(theirs.tax)],
    ['Notes for the supplier', base.supplierNotes, theirs.supplierNotes],
    ['Notes for yourselves', base.notes, theirs.notes],
  ] as const
  for (const [name, before, now] of fields) {
    if (before !== now) found.push(`${name}: ${before || 'nothing'} → ${now || 'nothing'}`)
  }
  const before = new Map(base.lineItems.map((line) => [line.id, line]))
  for (const line of theirs.lineItems) {
    const was = before.get(line.id)
    before.delete(line.id)
    const now = `${format.count(line.quantity)} at ${format.cost(line.costPrice)}`
    if (!was) found.push(`${line.title}: added, ${now}`)
    else if (was.quantity !== line.quantity || was.costPrice !== line.costPrice) {
      found.push(`${line.title}: ${format.count(was.quantity)} at ${format.cost(was.costPrice)} → ${now}`)
    }
  }
  for (const { title } of before.values()) found.push(`${title}: removed`)
  return found.length > 0 ? found : ['Something that is not shown here']
}
