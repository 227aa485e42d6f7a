import type { SupplierReturnState } from '../../../../shared/schemas/supplier-returns.ts'
import { Badge, type Look } from '../../components/tables/status-badge.tsx'

const looks: Record<SupplierReturnState, Look> = {
  draft: ['Draft', 'quiet'],
  shipped: ['Shipped', 'waiting'],
  credited: ['Credited', 'good'],
  cancelled: ['Cancelled', 'quiet'],
}

export const returnStateName = (state: SupplierReturnState) => looks[state][0]
export const ReturnStateBadge = ({ state }: { state: SupplierReturnState }) => <Badge look={looks[state]} />
