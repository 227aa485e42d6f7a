import { Button, Text } from '@mantine/core'
import { getRouteApi, Navigate, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { StockCount } from '../../../../../shared/schemas/stock-counts.ts'
import { useChange } from '../../../api/queries.ts'
import { Confirm } from '../../../components/feedback/confirm.tsx'
import { Loaded } from '../../../components/feedback/loaded.tsx'
import { Notice } from '../../../components/feedback/notice.tsx'
import { notifyDone } from '../../../components/feedback/notify.ts'
import { Card } from '../../../components/layout/card.tsx'
import { DetailColumns } from '../../../components/layout/detail.tsx'
import { LinkButton } from '../../../components/layout/link-button.tsx'
import { PageBody, PageHeader } from '../../../components/layout/page.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import { PagedTable } from '../../../components/tables/paged-table.tsx'
import { useCount } from '../counting/use-count.ts'
import { clearLocalCount, openCountStores } from '../offline/local-count.ts'
import { summaryOf } from './differences.ts'
import { itemColumns } from './item-columns.tsx'
import { SummaryFacts } from './summary-facts.tsx'

const route = getRouteApi('/counts/$id/review')

export function CountReview() {
  const { id } = route.useParams()
  return (
    <Loaded query={useCount(id)}>
      {(count) =>
        count.status === 'draft' ? (
          <Review key={count.id} stored={count} />
        ) : (
          <Navigate to="/counts/$id" params={{ id }} replace />
        )
      }
    </Loaded>
  )
}

/** The differences, before they change the stock. In a blind count they show here for the first time. */
function Review({ stored: { id, items, locationName } }: { stored: StockCount }) {
  const format = useFormat()
  const navigate = useNavigate()
  const [isConfirming, setConfirming] = useState(false)
  const summary = summaryOf(items)
  const { differing, counted, uncounted, over, short } = summary
  const [unsaved] = useState(() => ({
    numbers: openCountStores(id).entries.all().length,
    codes: openCountStores(id).scans.all().length,
  }))
  const submit = useChange('PUT /stock-counts/:id', {
    onDone: async () => {
      clearLocalCount(id)
      await navigate({ to: '/counts/$id', params: { id }, replace: true })
      notifyDone(`Count #${id} submitted`)
    },
  })
  return (
    <PageBody>
      <PageHeader
        title={`Review count #${id}`}
        back={{ to: `/counts/${id}`, name: 'counting' }}
        actions={
          <Button onClick={() => setConfirming(true)} disabled={counted === 0 || unsaved.numbers > 0}>
            Submit
          </Button>
        }
      />
      {(unsaved.numbers > 0 || unsaved.codes > 0) && <UnsavedNotice id={id} {...unsaved} />}
      <DetailColumns
        side={
          <Card title="Summary">
            <SummaryFacts location={locationName} summary={summary} />
            {uncounted > 0 && (
              <Text size="sm" c="dimmed" mt="sm">
                Uncounted items keep their stock.
              </Text>
            )}
          </Card>
        }
      >
        <Card title="Differences" isFlush>
          {differing.length === 0 ? (
            <Text c="dimmed" p="md" pt={0}>
              {counted === 0
                ? 'No products are counted yet. Go back and scan or type numbers.'
                : 'No differences: all counted numbers match the expected stock.'}
            </Text>
          ) : (
            <PagedTable
              label="Differences"
              rows={differing}
              keyOf={({ variantId }) => variantId}
              columns={itemColumns(format)}
            />
          )}
        </Card>
      </DetailColumns>
      <Confirm
        isOpen={isConfirming}
        title={`Submit count #${id}?`}
        confirm="Submit"
        isBusy={submit.isPending}
        error={submit.error}
        onConfirm={() => submit.mutate({ params: { id }, body: { status: 'submitted' } })}
        onCancel={() => setConfirming(false)}
      >
        {differing.length === 0
          ? `All counted numbers match the stock at ${locationName}, so no stock changes.`
          : `This sets the stock of ${format.many(differing.length, 'product')} at ${locationName} to the counted numbers, here and in your shop: ${format.many(over, 'piece')} more, ${format.many(short, 'piece')} fewer.`}{' '}
        Sales and receipts since counting are kept. You cannot edit the count after that.
      </Confirm>
    </PageBody>
  )
}

/** Numbers and scans of this device that are not part of the reviewed count. */
function UnsavedNotice({ id, numbers, codes }: { id: number; numbers: number; codes: number }) {
  const { many } = useFormat()
  return (
    <Notice tone="waiting" title="Some scans or numbers are not in this count">
      <Text c="#1c2024" mb="sm">
        {numbers > 0 && `${many(numbers, 'number')} on this device not saved yet. `}
        {codes > 0 && `${many(codes, 'scanned code')} matched no product that can be counted. `}
        Go back to resolve them.
      </Text>
      <LinkButton size="xs" to="/counts/$id" params={{ id }}>
        Back to counting
      </LinkButton>
    </Notice>
  )
}
