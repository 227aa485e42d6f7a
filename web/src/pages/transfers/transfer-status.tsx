import type { StockTransferStatus } from '../../../../shared/schemas/stock-transfers.ts'
import type { Look } from '../../components/tables/looks.ts'
import { Badge } from '../../components/tables/status-badge.tsx'

const looks: Record<StockTransferStatus, Look> = {
  pending: ['Planned', 'quiet'],
  in_transit: ['In transit', 'waiting'],
  partial: ['Partly received', 'waiting'],
  completed: ['Completed', 'good'],
  cancelled: ['Cancelled', 'quiet'],
}

export const transferStatusName = (status: StockTransferStatus) => looks[status][0]
export const TransferStatusBadge = ({ status }: { status: StockTransferStatus }) => (
  <Badge look={looks[status]} />
)
