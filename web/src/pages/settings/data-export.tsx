import '@mantine/core/styles/Progress.css'
import { Button, Group, List, Progress, Stack, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { Export } from '../../../../shared/schemas/exports.ts'
import { useChange } from '../../api/queries.ts'
import { requestFile, requestPage } from '../../api/request.ts'
import { downloadFile } from '../../browser/download.ts'
import { ErrorNotice } from '../../components/feedback/error-notice.tsx'
import { notifyRefused } from '../../components/feedback/notify.ts'
import { Card } from '../../components/layout/card.tsx'
import { useFormat } from '../../components/shop/format.ts'

const runningIntervalMs = 1_500

/** Every list of the shop as one ZIP file: started here, watched while the worker writes it, then downloaded. */
export function DataExport() {
  const { data, error, refetch } = useQuery({
    queryKey: ['GET /exports', 'page'],
    queryFn: ({ signal }) => requestPage('GET /exports', { query: {}, signal }),
    refetchInterval: ({ state }) => (state.data?.records[0]?.state === 'running' ? runningIntervalMs : false),
  })
  const start = useChange('POST /exports', { onRefused: notifyRefused })
  const newest = data?.records[0]
  const stored = data?.records.find(({ state }) => state === 'done')
  const isRunning = newest?.state === 'running'
  return (
    <Card title="Take your data with you">
      <Stack>
        <Text size="sm" c="dimmed">
          One ZIP file with every list, all from the same moment. A file is stored for 7 days.
        </Text>
        <List size="sm">
          <List.Item>Suppliers with contacts, products and prices</List.Item>
          <List.Item>Purchase orders with lines and charges, receipts and returns</List.Item>
          <List.Item>Each order as a file that your shop admin can import</List.Item>
          <List.Item>Stock with bins and costs, and every movement of both</List.Item>
          <List.Item>Transfers, counts, reorder rules, alerts, sales and settings</List.Item>
        </List>
        {error && !data && <ErrorNotice error={error} onRetry={refetch} />}
        {newest && <ExportState newest={newest} />}
        {stored && <StoredFile file={stored} />}
        <Group>
          <Button
            variant={stored ? 'default' : 'filled'}
            loading={start.isPending}
            disabled={isRunning || !data}
            onClick={() => start.mutate({})}
          >
            {newest ? 'Make a new file' : 'Make the file'}
          </Button>
        </Group>
      </Stack>
    </Card>
  )
}

function ExportState({ newest: { state, error, progress } }: { newest: Export }) {
  if (state === 'done') return null
  if (state === 'failed') return <Text role="status">{error}</Text>
  const percent = Math.floor(progress * 100)
  return (
    <Stack gap="xs">
      <Text role="status">Writing your file: {percent} %. You can leave this page.</Text>
      <Progress value={percent} aria-label="Progress of the file" />
    </Stack>
  )
}

/** The newest file, which is still there while another one is written, or after that failed. */
function StoredFile({ file }: { file: Export }) {
  const { count, dateTime } = useFormat()
  const { id, fileName, createdAt, rowCount, fileCount, size, expiresAt } = file
  const download = useMutation({
    mutationFn: async () =>
      downloadFile(await requestFile(`/exports/${id}/file`, 'application/zip'), fileName),
    onError: notifyRefused,
  })
  return (
    <Stack gap="xs" align="flex-start">
      <Text role="status">
        {fileName} of {dateTime(createdAt)}: {count(rowCount)} rows in {count(fileCount)} files,{' '}
        {count(Math.ceil(size / 1024))} kB. It is stored until {dateTime(expiresAt)}.
      </Text>
      <Button
        leftSection={<IconDownload size={16} />}
        loading={download.isPending}
        onClick={() => download.mutate()}
      >
        Download the ZIP file
      </Button>
    </Stack>
  )
}
