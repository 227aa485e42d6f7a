import { CloseButton, Text } from '@mantine/core'
import { useEffect, useRef } from 'react'
import type { ReorderDrafts } from '../../../../../shared/schemas/reorder-suggestions.ts'
import { Card } from '../../../components/layout/card.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import { OrderTotal } from '../../../components/tables/order-total.tsx'
import { RowLink } from '../../../components/tables/row-link.tsx'
import { RowTable } from '../../../components/tables/row-table.tsx'
import classes from './suggestion-list.module.css'

const maxSkippedShown = 50

type Props = {
  drafts: ReorderDrafts
  /** The number of selected products that the API neither ordered nor skipped, since their stock has recovered. */
  recovered: number
  onClose: () => void
}

/** The created drafts and the skipped products. Takes the focus, since it appears above the clicked button. */
export function CreatedDrafts({ drafts: { purchaseOrders, skipped }, recovered, onClose }: Props) {
  const format = useFormat()
  const section = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again for each new result
  useEffect(() => {
    section.current?.focus({ preventScroll: true })
    section.current?.scrollIntoView({ block: 'nearest' })
  }, [purchaseOrders])
  const count = purchaseOrders.length
  const title =
    count === 0
      ? 'Nothing was ordered'
      : count === 1
        ? '1 draft order created'
        : `${format.count(count)} draft orders created`
  return (
    <section ref={section} tabIndex={-1} aria-label={title} className={classes.result}>
      <Card isFlush title={title} action={<CloseButton aria-label="Close results" onClick={onClose} />}>
        {count > 0 && (
          <RowTable
            label={title}
            rows={purchaseOrders}
            keyOf={({ id }) => id}
            columns={[
              {
                name: 'Order',
                cell: ({ id, poNumber }) => (
                  <RowLink to="/purchase-orders/$id" params={{ id }}>
                    {poNumber}
                  </RowLink>
                ),
              },
              { name: 'Supplier', cell: ({ supplierName }) => supplierName },
              {
                name: 'Deliver to',
                cell: ({ destinationLocationName }) => destinationLocationName ?? 'Primary location',
              },
              { name: 'Lines', cell: ({ lineItemCount }) => format.count(lineItemCount), isNumber: true },
              {
                name: 'Total',
                cell: (order) => <OrderTotal {...order} />,
                isNumber: true,
              },
            ]}
          />
        )}
        {skipped.length > 0 && (
          <ul className={classes.skipped} aria-label="Not ordered">
            {skipped.slice(0, maxSkippedShown).map(({ variantId, title, reason }, at) => (
              // a variant is listed once for each of its locations
              // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
              <li key={`${variantId} ${at}`}>
                <strong>{title}</strong> was not ordered. {reason}
              </li>
            ))}
            {skipped.length > maxSkippedShown && (
              <li>And {format.count(skipped.length - maxSkippedShown)} more were not ordered.</li>
            )}
          </ul>
        )}
        {recovered > 0 && (
          <Text className={classes.note} pt={12}>
            {recovered === 1
              ? '1 product was not ordered: it is above its reorder point now.'
              : `${format.count(recovered)} products were not ordered: they are above their reorder points now.`}
          </Text>
        )}
      </Card>
    </section>
  )
}
