import { Button, Group, Stack, Text } from '@mantine/core'
import type { ImportedReorderRules } from '../../../../../shared/schemas/reorder-rules.ts'
import { Card } from '../../../components/layout/card.tsx'
import { useFormat } from '../../../components/shop/format.ts'

export const ruleCount = (count: number) => (count === 1 ? '1 rule' : `${count} rules`)

type Props = { result: ImportedReorderRules; isBusy: boolean; onImport: () => void }

/** What the checked file creates and changes. */
export function ImportCheck({ result: { rows, created, updated }, isBusy, onImport }: Props) {
  const format = useFormat()
  if (rows === 0) {
    return (
      <Card title="No rows">
        <Text role="status">There are no rows below the header row. Add a row for each rule.</Text>
      </Card>
    )
  }
  return (
    <Card title="Ready to import">
      <Stack>
        <Text role="status">
          {rows === 1 ? '1 row' : `${format.count(rows)} rows`}: {ruleCount(created)} to be created,{' '}
          {ruleCount(updated)} to be changed.
        </Text>
        <Group justify="flex-end">
          <Button onClick={onImport} loading={isBusy}>
            Import
          </Button>
        </Group>
      </Stack>
    </Card>
  )
}
