import type { StockCountPhase, StockCountStatus } from '../../../../../shared/schemas/stock-counts.ts'
import type { Look } from '../../../components/tables/looks.ts'
import { Badge } from '../../../components/tables/status-badge.tsx'

const looks: Record<StockCountPhase, Look> = {
  counting: ['Counting', 'waiting'],
  review: ['In review', 'info'],
  recounting: ['Recounting', 'waiting'],
  submitted: ['Submitted', 'good'],
  cancelled: ['Cancelled', 'quiet'],
}

export const countStatusName = (status: StockCountStatus) => (status === 'draft' ? 'Open' : looks[status][0])
export const CountStatusBadge = ({ phase }: { phase: StockCountPhase }) => <Badge look={looks[phase]} />
