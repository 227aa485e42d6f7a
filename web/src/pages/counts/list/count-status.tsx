import type { StockCountStatus } from '../../../../../shared/schemas/stock-counts.ts'
import { Badge, type Look } from '../../../components/tables/status-badge.tsx'

const looks: Record<StockCountStatus, Look> = {
  draft: ['Counting', 'waiting'],
  submitted: ['Submitted', 'good'],
  cancelled: ['Cancelled', 'quiet'],
}

export const countStatusName = (status: StockCountStatus) => looks[status][0]
export const CountStatusBadge = ({ status }: { status: StockCountStatus }) => <Badge look={looks[status]} />
