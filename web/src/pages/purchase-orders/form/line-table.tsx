import { ActionIcon, NumberInput, Text } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { memo } from 'react'
import type { FieldErrors } from '../../../components/forms/form-errors.ts'
import { useFormat } from '../../../components/shop/format.ts'
import { type DraftLine, lineTotal } from './draft.ts'
import classes from './line-table.module.css'

type Props = {
  lines: readonly DraftLine[]
  errors: FieldErrors
  onChange: (key: number, change: Partial<DraftLine>) => void
  onRemove: (key: number) => void
}

/** The lines of an order that is being written. `onChange` and `onRemove` must stay the same functions. */
export const LineTable = ({ lines, errors, onChange, onRemove }: Props) => (
  <table className={classes.table} aria-label="Lines">
    <thead>
      <tr>
        <th scope="col">Product</th>
        <th scope="col">Quantity</th>
        <th scope="col">Cost of one</th>
        <th scope="col" data-number>
          Total
        </th>
        <th scope="col">
          <span className={classes.hidden}>Remove</span>
        </th>
      </tr>
    </thead>
    <tbody>
      {lines.map((line, at) => (
        <LineRow
          key={line.key}
          line={line}
          quantityError={errors[`lineItems.${at}.quantity`]}
          costError={errors[`lineItems.${at}.costPrice`]}
          lineError={
            errors[`lineItems.${at}`] ?? errors[`lineItems.${at}.variantId`] ?? errors[`lineItems.${at}.id`]
          }
          onChange={onChange}
          onRemove={onRemove}
        />
      ))}
    </tbody>
  </table>
)

type RowProps = Pick<Props, 'onChange' | 'onRemove'> & {
  line: DraftLine
  quantityError: string | undefined
  costError: string | undefined
  lineError: string | undefined
}

/** An order has up to 500 of these, so each is drawn again only when it changes itself. */
const LineRow = memo(function LineRow({
  line,
  quantityError,
  costError,
  lineError,
  onChange,
  onRemove,
}: RowProps) {
  const format = useFormat()
  const { key, title, sku, quantity, costPrice } = line
  return (
    <tr>
      <td className={classes.product}>
        <Text fw={550}>{title}</Text>
        <Text size="sm" c="dimmed">
          {sku || 'no SKU'}
        </Text>
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
          onChange={(value) => onChange(key, { quantity: numberOf(value) })}
          allowDecimal={false}
          allowNegative={false}
          hideControls
          error={quantityError}
          w={110}
        />
      </td>
      <td data-name="Cost of one">
        <NumberInput
          aria-label={`Cost of ${title}`}
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
        {format.money(lineTotal(line))}
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
