import type { ReceiptListItem } from '../../../../shared/schemas/receipts.ts'
import type { Look } from '../../components/tables/looks.ts'
import { Badge } from '../../components/tables/status-badge.tsx'

const looks: Record<ReceiptListItem['state'], Look> = {
  draft: ['Draft', 'quiet'],
  posted: ['In stock', 'good'],
  reversed: ['Reversed', 'quiet'],
}

export const receiptStateName = (state: ReceiptListItem['state']) => looks[state][0]
export const ReceiptStateBadge = ({ state }: { state: ReceiptListItem['state'] }) => (
  <Badge look={looks[state]} />
)
