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
import { forgetCount, keptOf } from '../counting/stored-count.ts'
import { useCount } from '../counting/use-count.ts'
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

/** What differs, before the stock is changed by it. Blind counters see it here for the first time. */
function Review({ stored: { id, items, locationName } }: { stored: StockCount }) {
  const format = useFormat()
  const navigate = useNavigate()
  const [isAsked, setAsked] = useState(false)
  const summary = summaryOf(items)
  const { differing, counted, uncounted, over, short } = summary
  const [kept] = useState(() => ({
    numbers: keptOf(id).entries.all().length,
    codes: keptOf(id).scans.all().length,
  }))
  const submit = useChange('PUT /stock-counts/:id', {
    onDone: async () => {
      forgetCount(id)
      await navigate({ to: '/counts/$id', params: { id }, replace: true })
      notifyDone(`Count #${id} is submitted.`)
    },
  })
  return (
    <PageBody>
      <PageHeader
        title={`Review count #${id}`}
        back={{ to: `/counts/${id}`, name: 'counting' }}
        actions={
          <Button onClick={() => setAsked(true)} disabled={counted === 0 || kept.numbers > 0}>
            Submit
          </Button>
        }
      />
      {(kept.numbers > 0 || kept.codes > 0) && <Leftover id={id} {...kept} />}
      <DetailColumns
        side={
          <Card title="Summary">
            <SummaryFacts place={locationName} summary={summary} />
            {uncounted > 0 && (
              <Text size="sm" c="dimmed" mt="sm">
                What is not counted stays as it is.
              </Text>
            )}
          </Card>
        }
      >
        <Card title="Differences" isFlush>
          {differing.length === 0 ? (
            <Text c="dimmed" p="md" pt={0}>
              {counted === 0
                ? 'Nothing is counted yet. Go back and scan, or type numbers.'
                : 'None: all that was counted is as many as expected.'}
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
        isOpen={isAsked}
        title={`Submit count #${id}?`}
        confirm="Submit"
        isBusy={submit.isPending}
        error={submit.error}
        onConfirm={() => submit.mutate({ params: { id }, body: { status: 'submitted' } })}
        onCancel={() => setAsked(false)}
      >
        {differing.length === 0
          ? `The stock at ${locationName} is as it was counted, so nothing changes.`
          : `The stock of ${format.many(differing.length, 'product')} at ${locationName} becomes what was counted, here and in your shop: ${format.many(over, 'piece')} more, ${format.many(short, 'piece')} fewer.`}{' '}
        What was sold or received after a number was entered stays taken off or added. The count cannot be
        changed after that.
      </Confirm>
    </PageBody>
  )
}

/** What of this device is not part of what is reviewed. */
function Leftover({ id, numbers, codes }: { id: number; numbers: number; codes: number }) {
  const { many } = useFormat()
  return (
    <Notice tone="waiting" title="Not everything is in the count">
      <Text c="#1c2024" mb="sm">
        {numbers > 0 && `On this device alone, and not saved yet: ${many(numbers, 'number')}. `}
        {codes > 0 && `Scanned, and of no product that can be counted: ${many(codes, 'code')}. `}
        Go back to decide about them.
      </Text>
      <LinkButton size="xs" to="/counts/$id" params={{ id }}>
        Back to counting
      </LinkButton>
    </Notice>
  )
}
