import { CloseButton, Text } from '@mantine/core'
import { useEffect, useRef } from 'react'
import type { ReorderDrafts } from '../../../../../shared/schemas/reorder-suggestions.ts'
import { Card } from '../../../components/layout/card.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import { RowLink } from '../../../components/tables/row-link.tsx'
import { RowTable } from '../../../components/tables/row-table.tsx'
import classes from './suggestion-list.module.css'

/** More reasons than this nobody reads. */
const maxShown = 50

type Props = {
  drafts: ReorderDrafts
  /** Of those that were ticked, how many are neither ordered nor skipped. */
  recovered: number
  onClose: () => void
}

/** What has become of the suggestions that were ordered. It takes the focus: it stands above what was clicked. */
export function CreatedDrafts({ drafts: { purchaseOrders, skipped }, recovered, onClose }: Props) {
  const format = useFormat()
  const place = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: again for every other answer
  useEffect(() => {
    place.current?.focus({ preventScroll: true })
    place.current?.scrollIntoView({ block: 'nearest' })
  }, [purchaseOrders])
  const count = purchaseOrders.length
  const title =
    count === 0
      ? 'Nothing was ordered'
      : count === 1
        ? '1 draft is created'
        : `${format.count(count)} drafts are created`
  return (
    <section ref={place} tabIndex={-1} aria-label={title} className={classes.result}>
      <Card
        isFlush
        title={title}
        action={<CloseButton aria-label="Close what was created" onClick={onClose} />}
      >
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
                name: 'Arrives at',
                cell: ({ destinationLocationName }) => destinationLocationName ?? 'Primary location',
              },
              { name: 'Lines', cell: ({ lineItemCount }) => format.count(lineItemCount), isNumber: true },
              { name: 'Total', cell: ({ total }) => format.money(total), isNumber: true },
            ]}
          />
        )}
        {skipped.length > 0 && (
          <ul className={classes.skipped} aria-label="Not ordered">
            {skipped.slice(0, maxShown).map(({ variantId, title, reason }, at) => (
              // a variant may be there twice, for two of its locations
              // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
              <li key={`${variantId} ${at}`}>
                <strong>{title}</strong> was not ordered. {reason}
              </li>
            ))}
            {skipped.length > maxShown && (
              <li>And {format.count(skipped.length - maxShown)} more were not ordered.</li>
            )}
          </ul>
        )}
        {recovered > 0 && (
          <Text className={classes.note} pt={12}>
            {recovered === 1
              ? '1 product is above its reorder point by now, and was not ordered.'
              : `${format.count(recovered)} products are above their reorder points by now, and were not ordered.`}
          </Text>
        )}
      </Card>
    </section>
  )
}
