import { Button, Group } from '@mantine/core'
import type { StockLevel } from '../../../../../shared/schemas/stock-levels.ts'
import { BinField } from '../../../components/bins/bin-field.tsx'
import { LinkButton } from '../../../components/layout/link-button.tsx'
import type { Format } from '../../../components/shop/formats.ts'
import { ProductName } from '../../../components/tables/product-name.tsx'
import type { Column } from '../../../components/tables/row-table.tsx'
import { Badge } from '../../../components/tables/status-badge.tsx'
import classes from '../stock.module.css'

/** One column for both: two would leave the titles of products too little width. */
export const placeColumn: Column<StockLevel> = {
  name: 'Location and bin',
  cell: (level) => (
    <div>
      {level.locationName}
      <br />
      <BinField level={level} />
    </div>
  ),
}

/** What lies on the shelf, and what of it can be sold. A dash means: not read from the shop yet. */
export const quantityColumns = ({ count, change }: Format): Column<StockLevel>[] => {
  const known = (pieces: number | null) => (pieces === null ? '—' : count(pieces))
  return [
    { name: 'On hand', isNumber: true, cell: ({ onHand }) => known(onHand) },
    { name: 'Committed', isNumber: true, cell: ({ committed }) => known(committed) },
    { name: 'Unavailable', isNumber: true, cell: ({ unavailable }) => known(unavailable) },
    {
      name: 'Available',
      isNumber: true,
      cell: ({ currentStock, pendingQuantity }) => (
        <span className={classes.stock}>
          {pendingQuantity !== 0 && <Badge look={[`${change(pendingQuantity)} syncing`, 'quiet']} />}
          <span className={classes.number}>{count(currentStock)}</span>
        </span>
      ),
    },
    { name: 'Incoming', isNumber: true, cell: ({ onTheWay }) => count(onTheWay) },
  ]
}

export const levelColumns = (format: Format, onAdjust: (level: StockLevel) => void): Column<StockLevel>[] => [
  {
    name: 'Product',
    cell: ({ title, sku, variantId }) => <ProductName title={title} sku={sku} variantId={variantId} />,
    sorts: ['title', '-title'],
  },
  placeColumn,
  ...quantityColumns(format).map(
    (column): Column<StockLevel> => ({
      ...column,
      ...(column.name === 'Available' && { sorts: ['available', '-available'] }),
      // with it the table does not fit a laptop beside the shop admin's navigation
      ...(column.name === 'Unavailable' && { isOptional: true }),
    }),
  ),
  {
    name: 'Unit cost',
    isNumber: true,
    isOptional: true,
    cell: ({ unitCost }) => (unitCost === null ? '—' : format.cost(unitCost)),
  },
  { name: 'Barcode', isOptional: true, cell: ({ barcode }) => barcode || '—' },
  {
    name: 'Actions',
    isAction: true,
    cell: (level) => (
      <Group gap="xs" justify="flex-end" wrap="nowrap">
        <LinkButton
          to="/stock/history"
          search={{ variantId: level.variantId, locationId: level.locationId }}
          variant="default"
          size="xs"
          aria-label={`History of ${nameOf(level)}`}
        >
          History
        </LinkButton>
        <Button
          variant="default"
          size="xs"
          aria-label={`Adjust ${nameOf(level)}`}
          onClick={() => onAdjust(level)}
        >
          Adjust
        </Button>
      </Group>
    ),
  },
]

export const nameOf = ({ title, locationName }: StockLevel) => `${title} at ${locationName}`
