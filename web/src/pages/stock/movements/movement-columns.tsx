import { Text } from '@mantine/core'
import { movementKindWords as kindNames } from '../../../../../shared/schemas/kind-words.ts'
import type { StockMovement } from '../../../../../shared/schemas/stock-movements.ts'
import type { Format } from '../../../components/shop/formats.ts'
import { DocumentLink } from '../../../components/tables/document-link.tsx'
import { ProductName } from '../../../components/tables/product-name.tsx'
import type { Column } from '../../../components/tables/row-table.tsx'
import type { MovementFilter } from '../levels/filter.ts'
import classes from '../stock.module.css'

/** Leaves out the product or location column when the list is filtered by it. */
export const movementColumns = (
  { dateTime, count, change }: Format,
  { variantId, locationId }: MovementFilter,
): Column<StockMovement>[] => [
  { name: 'When', cell: ({ occurredAt }) => dateTime(occurredAt) },
  ...(variantId === undefined ? [productColumn] : []),
  ...(locationId === undefined ? [locationColumn] : []),
  {
    name: 'Type',
    cell: ({ kind, isOpening, reason, reference, referenceName }) => (
      <div>
        {isOpening ? 'Opening stock' : kindNames[kind]}
        {reference && (
          <>
            {' · '}
            <DocumentLink reference={reference} name={referenceName} />
          </>
        )}
        {reason && (
          <Text size="xs" c="dimmed">
            {reason}
          </Text>
        )}
      </div>
    ),
  },
  {
    name: 'Change',
    isNumber: true,
    cell: ({ delta, previousQuantity, newQuantity }) => (
      <div className={classes.whole}>
        <strong>{change(delta)}</strong>
        <Text size="xs" c="dimmed">
          {count(previousQuantity)} → {count(newQuantity)}
        </Text>
      </div>
    ),
  },
  { name: 'User', cell: (movement) => <span className={classes.whole}>{userOf(movement)}</span> },
]

const productColumn: Column<StockMovement> = {
  name: 'Product',
  cell: ({ title, sku, variantId }) => <ProductName title={title} sku={sku} variantId={variantId} />,
}

const locationColumn: Column<StockMovement> = { name: 'Location', cell: ({ locationName }) => locationName }

/** The platform gives the id of a user but no name. */
function userOf({ actor, kind }: StockMovement): string {
  if (actor !== '') return `User ${actor}`
  return kind === 'platform' ? 'Your shop' : 'Quartermaster'
}
