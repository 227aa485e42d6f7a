import { Text } from '@mantine/core'
import type { GapCure, VariantStockGap } from '../../../../../shared/schemas/planning.ts'
import { TextLink } from '../../../components/layout/link-button.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import { variantParams } from '../../../components/tables/variant-link.tsx'

/** What to do about a gap of a product variant, with a link to where it is done, and what it saves. */
export function CureText({ gap, variantId }: { gap: VariantStockGap; variantId: string }) {
  const { cure, missingUnits, locationId } = gap
  const format = useFormat()
  if (!cure) {
    return (
      <Text size="sm" c="dimmed">
        Nothing brings goods before the next arrival.
      </Text>
    )
  }
  const { arrivesOn, savedUnits, savedRevenue, spends } = cure
  return (
    <div>
      <Text size="sm">
        <Action cure={cure} variantId={variantId} locationId={locationId} />
      </Text>
      <Text size="xs" c="dimmed">
        Saves {format.count(savedUnits)} of {format.count(missingUnits)}
        {savedRevenue !== null && ` (${format.money(savedRevenue)})`} from {format.calendarDay(arrivesOn)} on
        {spends !== null && spends > 0 && `, costs ${format.money(spends)}`}
      </Text>
    </div>
  )
}

/** As in: Expedite PO-00012. */
export function cureName({ kind, quantity, poNumber, sourceLocationName }: GapCure): string {
  if (kind === 'expedite') return `Expedite ${poNumber}`
  return kind === 'transfer' ? `Transfer ${quantity} from ${sourceLocationName}` : `Buy ${quantity} now`
}

type ActionProps = { cure: GapCure; variantId: string; locationId: string | null }

function Action({ cure, variantId, locationId }: ActionProps) {
  const format = useFormat()
  const { kind, quantity, purchaseOrderId, poNumber, supplierId, supplierName } = cure
  const pieces = format.many(quantity, 'piece')
  if (kind === 'expedite' && purchaseOrderId !== null) {
    return (
      <>
        Expedite{' '}
        <TextLink to="/purchase-orders/$id" params={{ id: purchaseOrderId }} inherit>
          {poNumber}
        </TextLink>{' '}
        of {supplierName}
      </>
    )
  }
  if (kind === 'transfer') {
    const { sourceLocationId, sourceLocationName, sourceLastsDays } = cure
    const search = {
      ...(sourceLocationId !== null && { from: sourceLocationId }),
      ...(locationId !== null && { to: locationId }),
      ...{ variantId: variantParams(variantId).id, quantity },
    }
    return (
      <>
        <TextLink to="/transfers/new" search={search} inherit>
          Transfer {pieces}
        </TextLink>{' '}
        from {sourceLocationName}
        {sourceLastsDays === null ? ', which sells none' : `, which lasts ${format.days(sourceLastsDays)}`}
      </>
    )
  }
  return (
    <>
      <TextLink
        to="/purchase-orders/new"
        search={{
          ...(supplierId !== null && { supplierId }),
          ...(locationId !== null && { locationId }),
          ...{ variantId: variantParams(variantId).id, quantity },
        }}
        inherit
      >
        Buy {pieces} now
      </TextLink>
      {supplierName !== null && ` from ${supplierName}`}
    </>
  )
}
