import { ActionIcon, NumberInput, Text } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { memo } from 'react'
import type { FieldErrors } from '../../../components/forms/form-errors.ts'
import { useFormat } from '../../../components/shop/format.ts'
import { VariantLink } from '../../../components/tables/variant-link.tsx'
import { type DraftLine, lineTotal } from './draft.ts'
import { LineHint } from './line-hint.tsx'
import classes from './line-table.module.css'
import { type LineTerms, priceAt, useLineTerms } from './line-terms.ts'

type Props = {
  /** Undefined: the shop's. */
  currency: string | undefined
  supplierId: number | null
  lines: readonly DraftLine[]
  errors: FieldErrors
  onChange: (key: number, change: Partial<DraftLine>) => void
  onRemove: (key: number) => void
}

/** The editable lines of an order. `onChange` and `onRemove` must be stable functions, because rows are memoized. */
export function LineTable({ lines, currency, supplierId, errors, onChange, onRemove }: Props) {
  const terms = useLineTerms(
    supplierId,
    currency,
    lines.map(({ variantId }) => variantId),
  )
  return (
    <table className={classes.table} aria-label="Lines">
      <thead>
        <tr>
          <th scope="col">Product</th>
          <th scope="col">Quantity</th>
          <th scope="col">Unit cost</th>
          <th scope="col" data-number>
            Total
          </th>
          <th scope="col">
            <span className={classes.hidden}>Remove</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line, index) => (
          <LineRow
            key={line.key}
            line={line}
            currency={currency}
            terms={terms.get(line.variantId)}
            quantityError={errors[`lineItems.${index}.quantity`]}
            costError={errors[`lineItems.${index}.costPrice`]}
            lineError={
              errors[`lineItems.${index}`] ??
              errors[`lineItems.${index}.variantId`] ??
              errors[`lineItems.${index}.id`]
            }
            onChange={onChange}
            onRemove={onRemove}
          />
        ))}
      </tbody>
    </table>
  )
}

type RowProps = Pick<Props, 'onChange' | 'onRemove'> & {
  line: DraftLine
  currency: string | undefined
  terms: LineTerms | undefined
  quantityError: string | undefined
  costError: string | undefined
  lineError: string | undefined
}

/** Memoized: an order has up to 500 lines. */
const LineRow = memo(function LineRow({
  line,
  currency,
  terms,
  quantityError,
  costError,
  lineError,
  onChange,
  onRemove,
}: RowProps) {
  const format = useFormat(currency)
  const { key, variantId, title, sku, quantity, costPrice } = line
  return (
    <tr>
      <td className={classes.product}>
        <Text fw={550}>
          <VariantLink variantId={variantId}>{title}</VariantLink>
        </Text>
        <Text size="sm" c="dimmed">
          {sku || 'no SKU'}
        </Text>
        {terms && <LineHint terms={terms} quantity={quantity} currency={currency} />}
        {lineError && (
          <Text size="sm" c="var(--mantine-color-error)">
            {lineError}
          </Text>
        )}
      </td>
      <td data-name="Quantity">
        <NumberInput
          aria-label={`Quantity of ${title}`}
          value={quantity}
          onChange={(value) => {
            // a price of the catalogue follows the quantity, a typed one stays
            const price = priceAt(terms, numberOf(value))
            const isOfCatalogue = costPrice === '' || costPrice === priceAt(terms, quantity)
            onChange(key, {
              quantity: numberOf(value),
              ...(isOfCatalogue && price !== undefined && { costPrice: price }),
            })
          }}
          allowDecimal={false}
          allowNegative={false}
          hideControls
          error={quantityError}
          w={110}
        />
      </td>
      <td data-name="Unit cost">
        <NumberInput
          aria-label={`Unit cost of ${title}`}
          value={costPrice}
          onChange={(value) => onChange(key, { costPrice: numberOf(value) })}
          allowNegative={false}
          decimalScale={4}
          decimalSeparator={format.decimalSeparator}
          hideControls
          error={costError}
          w={110}
        />
      </td>
      <td data-name="Total" data-number>
        {format.money(lineTotal(line, format.decimals))}
      </td>
      <td>
        <ActionIcon
          variant="subtle"
          color="dark.6"
          size="lg"
          aria-label={`Remove ${title}`}
          onClick={() => onRemove(key)}
        >
          <IconTrash size={18} />
        </ActionIcon>
      </td>
    </tr>
  )
})

const numberOf = (value: number | string): number | '' => (value === '' ? '' : Number(value))
