import type { SupplierReturnState } from '../../../../shared/schemas/supplier-returns.ts'
import { Badge } from '../../components/tables/status-badge.tsx'
import { returnLooks } from './return-looks.ts'

export const ReturnStateBadge = ({ state }: { state: SupplierReturnState }) => (
  <Badge look={returnLooks[state]} />
)
