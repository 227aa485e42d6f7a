import { ActionIcon, Button, Text } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { memo, useEffect } from 'react'
import type { FieldErrors } from '../../../components/forms/form-errors.ts'
import { NumberField } from '../../../components/forms/number-field.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import { VariantLink } from '../../../components/tables/variant-link.tsx'
import type { DraftLine } from './draft.ts'
import { LineDetails } from './line-details.tsx'
import { LineHint } from './line-hint.tsx'
import {
  acceptedQuantity,
  costOf,
  figuresOf,
  isWithoutCost,
  type LineTerms,
  priceAt,
  withQuantity,
} from './line-prices.ts'
import classes from './line-table.module.css'
import { lineTotal } from './sums.ts'

type Props = {
  line: DraftLine
  /** Undefined: the shop's. */
  currency: string | undefined
  terms: LineTerms | undefined
  taxRate: number
  /** By field of the line. */
  errors: FieldErrors
  hasDetails: boolean
  onChange: (key: number, change: Partial<DraftLine>) => void
  onRemove: (key: number) => void
}

/** Memoized: an order has up to 500 lines. */
export const LineRow = memo(function LineRow(props: Props) {
  const { line, currency, terms, taxRate, errors, hasDetails, onChange, onRemove } = props
  const format = useFormat(currency)
  const { key, id, variantId, title, sku, quantity, costPrice } = line
  const figures = figuresOf(line, terms, taxRate)
  const accepted = terms && acceptedQuantity(line, terms)
  const lineError = errors[''] ?? errors.variantId ?? errors.id
  const changeQuantity = (typed: number | '') => onChange(key, withQuantity(line, typed, terms))
  useEffect(() => {
    const isSettled = line.pricedAt === undefined || priceAt(terms, quantity) === undefined
    if (!isSettled) onChange(key, withQuantity(line, quantity, terms))
  }, [line, quantity, terms, onChange, key])
  return (
    <>
      <tr>
        <td className={classes.product}>
          <Text fw={550}>
            <VariantLink variantId={variantId}>{title}</VariantLink>
          </Text>
          <Text size="sm" c="dimmed">
            {sku || 'no SKU'}
          </Text>
          <LineHint line={line} terms={terms} figures={figures} currency={currency} />
          {lineError && (
            <Text size="sm" c="var(--mantine-color-error)">
              {lineError}
            </Text>
          )}
        </td>
        <td data-name="Quantity">
          <NumberField
            aria-label={`Quantity of ${title}`}
            value={quantity}
            onChange={changeQuantity}
            error={errors.quantity}
            w="100%"
            maw={110}
          />
          {accepted !== undefined && accepted !== figures.quantity && figures.quantity > 0 && (
            <Button
              variant="subtle"
              size="compact-xs"
              mt={4}
              aria-label={`Order ${accepted} of ${title}`}
              onClick={() => changeQuantity(accepted)}
            >
              Order {format.count(accepted)}
            </Button>
          )}
        </td>
        <td data-name="Unit cost">
          <NumberField
            aria-label={`Unit cost of ${title}`}
            value={costOf(line, terms) ?? ''}
            onChange={(value) => onChange(key, { costPrice: value, pricedAt: undefined })}
            // an empty cost of a new line is that of the catalogue again
            onBlur={() => costPrice === '' && id === undefined && onChange(key, { costPrice: undefined })}
            decimals={4}
            currency={format.currency}
            error={errors.costPrice}
            w="100%"
            maw={110}
          />
        </td>
        <td data-name="Total" data-number>
          {isWithoutCost(line, terms) ? '—' : format.money(lineTotal(figures, format.decimals))}
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
      {hasDetails && (
        <LineDetails line={line} terms={terms} taxRate={taxRate} errors={errors} onChange={onChange} />
      )}
    </>
  )
})
