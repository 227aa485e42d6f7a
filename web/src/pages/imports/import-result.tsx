import '@mantine/core/styles/FloatingIndicator.css'
import '@mantine/core/styles/SegmentedControl.css'
import { Button, SegmentedControl, Stack, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { useDeferredValue, useEffect, useState } from 'react'
import type { Import, ImportRow, ImportRowState, ImportSummary } from '../../../../shared/schemas/imports.ts'
import { listQuery } from '../../api/queries.ts'
import { requestFile } from '../../api/request.ts'
import { downloadFile } from '../../browser/download.ts'
import { Notice } from '../../components/feedback/notice.tsx'
import { notifyRefused } from '../../components/feedback/notify.ts'
import { Card } from '../../components/layout/card.tsx'
import { TextLink } from '../../components/layout/link-button.tsx'
import { useFormat } from '../../components/shop/format.ts'
import { DataList } from '../../components/tables/data-list.tsx'
import type { Column } from '../../components/tables/row-table.tsx'
import { RowStateBadge } from './import-state.tsx'
import classes from './imports.module.css'
import { shortSummary, whyNothing } from './summary.ts'
import { SupplierTwins } from './supplier-twins.tsx'

/** The result of a dry run or a run, with the rows of one outcome. */
export function ImportResult({
  found,
  summary,
  onDrawn,
}: {
  found: Import
  summary: ImportSummary
  /** Called when the rows are shown, or when there are none. */
  onDrawn: () => void
}) {
  const format = useFormat()
  const { count } = format
  const nothing = whyNothing(summary)
  const all: [ImportRowState, string, number][] = [
    ['fault', 'Not imported', summary.faults],
    ['kept', 'Kept', summary.kept],
    ['new', 'New', summary.new],
    ['changed', 'Updated', summary.changed],
    ['same', 'Unchanged', summary.same],
    ['skipped', 'Skipped', summary.skipped],
  ]
  const choices = all.filter(([, , rows]) => rows > 0)
  const [chosen, setChosen] = useState<ImportRowState | null>(null)
  const state = choices.some(([each]) => each === chosen) ? chosen : (choices[0]?.[0] ?? null)
  useEffect(() => {
    if (state === null) onDrawn()
  }, [state, onDrawn])
  const download = useMutation({
    mutationFn: () => requestFile(`/imports/${found.id}/faults`, 'text/csv, application/zip'),
    onError: notifyRefused,
  })
  return (
    <>
      <Card title={summary.isRehearsal ? 'What the import would do' : 'Result'}>
        <Stack>
          <Text role="status">{shortSummary(summary, format)}.</Text>
          {nothing && <Notice tone="waiting">{nothing}</Notice>}
          {summary.isRehearsal && !nothing && (
            <Text size="sm" c="dimmed">
              Nothing is imported yet. The import moves no stock and e-mails no supplier, and you can revert
              it.
            </Text>
          )}
          {summary.faults > 0 && (
            <Stack gap="xs" align="flex-start">
              <Text size="sm" c="dimmed">
                Correct these rows in the downloaded file and add that file: rows that were imported before
                are not imported again.
              </Text>
              <Button
                variant="default"
                size="xs"
                leftSection={<IconDownload size={14} />}
                loading={download.isPending}
                onClick={() =>
                  download.mutate(undefined, {
                    onSuccess: (file) =>
                      downloadFile(
                        file,
                        `not-imported-${found.id}.${file.type.startsWith('text/csv') ? 'csv' : 'zip'}`,
                      ),
                  })
                }
              >
                Download invalid rows
              </Button>
            </Stack>
          )}
          {choices.length > 1 && (
            <SegmentedControl
              className={classes.samples}
              value={state ?? ''}
              onChange={(value) => setChosen(value as ImportRowState)}
              data={choices.map(([value, name, rows]) => ({ value, label: `${name} (${count(rows)})` }))}
              aria-label="Outcome of the rows"
              orientation={choices.length > 3 && window.innerWidth < 700 ? 'vertical' : 'horizontal'}
            />
          )}
        </Stack>
      </Card>
      {found.state === 'done' && summary.suppliers > 0 && <SupplierTwins importId={found.id} />}
      {state && <Rows id={found.id} state={state} onDrawn={onDrawn} />}
    </>
  )
}

type RowsProps = { id: number; state: ImportRowState; onDrawn: () => void }

function Rows({ id, state, onDrawn }: RowsProps) {
  const list = listQuery('GET /imports/:id/rows', { params: { id }, query: { state } })
  // the worker changes the rows between two previews, so the page must not keep those of the earlier one
  const query = useInfiniteQuery({ ...list, staleTime: 0 })
  // deferred as the rows of the list are, so that it becomes true together with them
  const isDrawn = useDeferredValue(!query.isPending, false)
  useEffect(() => {
    if (isDrawn) onDrawn()
  }, [isDrawn, onDrawn])
  const columns: Column<ImportRow>[] = [
    { name: 'Row', cell: ({ sheet, row }) => `${sheet}, row ${row}` },
    { name: 'Outcome', cell: (each) => <RowStateBadge state={each.state} /> },
    {
      name: 'Content',
      cell: ({ raw }) => (
        <Text size="sm" lineClamp={2} className={classes.samples}>
          {raw.filter(Boolean).join(' · ')}
        </Text>
      ),
    },
    {
      name: 'Why',
      cell: ({ message, target, targetId }) => (
        <Stack gap={0} align="flex-start">
          {message !== '' && <span>{message}</span>}
          <Made target={target} id={targetId} otherwise={message === '' ? '—' : ''} />
        </Stack>
      ),
    },
  ]
  return (
    <DataList
      label="Rows"
      query={query}
      columns={columns}
      keyOf={({ id: place }) => place}
      empty={{ title: 'No rows', text: 'No row has this outcome.' }}
    />
  )
}

type MadeProps = { target: ImportRow['target']; id: number | null; otherwise: string }

/** A link to what the row became; `otherwise` when it has no page. */
function Made({ target, id, otherwise }: MadeProps) {
  if (id === null) return otherwise
  if (target === 'purchase_order')
    return (
      <TextLink to="/purchase-orders/$id" params={{ id }} size="sm">
        View the order
      </TextLink>
    )
  if (target === 'supplier')
    return (
      <TextLink to="/suppliers/$id" params={{ id }} size="sm">
        View the supplier
      </TextLink>
    )
  if (target === 'stock_count')
    return (
      <TextLink to="/counts/$id" params={{ id }} size="sm">
        View the count
      </TextLink>
    )
  if (target === 'receipt')
    return (
      <TextLink to="/receipts/$id" params={{ id }} size="sm">
        View the receipt
      </TextLink>
    )
  if (target === 'reorder_rule')
    return (
      <TextLink to="/reorder/rules" size="sm">
        View reorder rules
      </TextLink>
    )
  if (target === 'past_adjustment')
    return (
      <TextLink to="/stock/past-adjustments" size="sm">
        View past adjustments
      </TextLink>
    )
  return otherwise
}
