import { Button, Group, Stack, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { ImportSampleKind } from '../../../../shared/schemas/imports.ts'
import { requestFile } from '../../api/request.ts'
import { downloadFile } from '../../browser/download.ts'
import { notifyRefused } from '../../components/feedback/notify.ts'
import { Card } from '../../components/layout/card.tsx'
import { kindNames } from './import-state.tsx'

const kinds: ImportSampleKind[] = [
  'suppliers',
  'supplier_products',
  'purchase_orders',
  'reorder_rules',
  'costs',
  'stock_counts',
  'adjustments',
]

/** Our own templates, for a merchant who fills in a spreadsheet. */
export function SampleFiles() {
  const download = useMutation({
    mutationFn: async (kind: ImportSampleKind) =>
      downloadFile(
        await requestFile(`/imports/samples/${kind}`, 'text/csv'),
        `${kind.replaceAll('_', '-')}.csv`,
      ),
    onError: notifyRefused,
  })
  return (
    <Card title="Start from a spreadsheet">
      <Stack gap="xs">
        <Text size="sm" c="dimmed">
          No file yet? Download a sample, replace its rows with yours, and add it above.
        </Text>
        <Group gap="xs">
          {kinds.map((kind) => (
            <Button
              key={kind}
              size="xs"
              variant="default"
              leftSection={<IconDownload size={14} />}
              loading={download.isPending && download.variables === kind}
              onClick={() => download.mutate(kind)}
            >
              {kindNames[kind]}
            </Button>
          ))}
        </Group>
      </Stack>
    </Card>
  )
}
