import type { StockCount } from '../../../../../shared/schemas/stock-counts.ts'
import { Timeline, type TimelineEvent } from '../../../components/layout/detail.tsx'
import { byUser } from '../../../components/shop/by-user.ts'
import { useFormat } from '../../../components/shop/format.ts'

export function CountTimeline({ count }: { count: StockCount }) {
  const { many } = useFormat()
  const { createdAt, createdBy, finishedAt, recount, approvedAt, submittedAt, cancelledAt } = count
  const events: (TimelineEvent | false)[] = [
    { at: createdAt, text: createdBy === '' ? 'Started by a count plan' : `Started${byUser(createdBy)}` },
    recount !== null && {
      at: recount.requestedAt,
      text: `Recount of ${many(recount.itemCount, 'product')} requested${byUser(recount.requestedBy)}`,
    },
    finishedAt !== null && { at: finishedAt, text: `Counting finished${byUser(count.finishedBy)}` },
    approvedAt !== null && { at: approvedAt, text: `Approved${byUser(count.approvedBy)}` },
    submittedAt !== null && {
      at: submittedAt,
      text: `Submitted${byUser(count.submittedBy)}: stock changed by the differences`,
    },
    cancelledAt !== null && { at: cancelledAt, text: 'Cancelled' },
  ]
  return <Timeline events={events.filter((event) => event !== false)} />
}
