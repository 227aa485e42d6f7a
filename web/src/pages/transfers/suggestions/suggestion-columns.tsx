import { Checkbox, Text } from '@mantine/core'
import type { TransferSuggestion } from '../../../../../shared/schemas/transfer-suggestions.ts'
import { QuantityField } from '../../../components/forms/quantity-field.tsx'
import type { Format } from '../../../components/shop/formats.ts'
import type { Column } from '../../../components/tables/row-table.tsx'
import { VariantLink } from '../../../components/tables/variant-link.tsx'
import classes from '../transfers.module.css'

type Options = {
  format: Format
  isChosen: (suggestion: TransferSuggestion) => boolean
  choose: (suggestions: readonly TransferSuggestion[], isChosen: boolean) => void
  quantityOf: (suggestion: TransferSuggestion) => number | ''
  onQuantity: (suggestion: TransferSuggestion, quantity: number | '') => void
  errorOf: (suggestion: TransferSuggestion) => string | undefined
}

/** The columns of suggested transfers, with the choice and the quantity of each. */
export const suggestionColumns = ({
  format,
  isChosen,
  choose,
  quantityOf,
  onQuantity,
  errorOf,
}: Options): Column<TransferSuggestion>[] => [
  {
    name: 'Product',
    cell: (suggestion) => (
      <div className={classes.product}>
        <Checkbox
          checked={isChosen(suggestion)}
          onChange={(event) => choose([suggestion], event.currentTarget.checked)}
          label={suggestion.title}
          classNames={{ label: classes.title }}
        />
        <Text size="xs" c="dimmed" className={classes.about}>
          <VariantLink variantId={suggestion.variantId}>{suggestion.sku || 'no SKU'}</VariantLink>
        </Text>
      </div>
    ),
  },
  {
    name: 'At the destination',
    cell: ({ currentStock, incoming }) => (
      <div>
        {format.count(currentStock)}
        {incoming > 0 && <Small>{`${format.count(incoming)} incoming`}</Small>}
      </div>
    ),
    isNumber: true,
    width: 150,
  },
  {
    name: 'Reorder point',
    cell: ({ reorderPoint }) => format.count(reorderPoint),
    isNumber: true,
    width: 128,
  },
  {
    name: 'At the source',
    cell: ({ sourceStock, sourceReorderPoint, sourceLastsDays }) => (
      <div>
        {format.count(sourceStock)}
        {sourceReorderPoint !== null && <Small>{`keeps ${format.count(sourceReorderPoint)}`}</Small>}
        {sourceLastsDays !== null && <Small>{`lasts ${format.days(sourceLastsDays)}`}</Small>}
      </div>
    ),
    isNumber: true,
    width: 120,
  },
  {
    name: 'Move',
    cell: (suggestion) => (
      <div>
        <QuantityField
          label={`Move of ${suggestion.title}`}
          value={quantityOf(suggestion)}
          onChange={(quantity) => onQuantity(suggestion, quantity)}
          placeholder="0"
          error={errorOf(suggestion)}
        />
        {suggestion.packSize > 1 && <Small>{`packs of ${format.count(suggestion.packSize)}`}</Small>}
      </div>
    ),
    isNumber: true,
    width: 130,
  },
]

const Small = ({ children }: { children: string }) => (
  <Text size="xs" c="dimmed">
    {children}
  </Text>
)
