import { Text } from '@mantine/core'
import type { SupplierTerms } from '../../../../../shared/schemas/purchase-orders.ts'
import { NumberField } from '../../../components/forms/number-field.tsx'
import { readNumber } from '../../../components/forms/read-number.ts'
import { useFormat } from '../../../components/shop/format.ts'
import classes from './order-form.module.css'
import type { OrderFormProps } from './order-form.tsx'
import { type Figures, goodsValue, sumsOf } from './sums.ts'

type Props = Omit<OrderFormProps, 'stored'> & {
  /** Undefined: the shop's. */
  currency: string | undefined
  figures: readonly Figures[]
  terms: SupplierTerms | undefined
  /** Lines that the sums leave out. */
  withoutCost: number
}

/** Subtotal, discount, tax and total of a draft, and the amount that is missing to the supplier's minimum. */
export function OrderTotals({ draft, onChange, errors, currency, figures, terms, withoutCost }: Props) {
  const format = useFormat(currency)
  const { decimals } = format
  const { subtotal, tax } = sumsOf(figures, { decimals, discount: Number(draft.discount) })
  /** `20%` is the tax rate of all lines, also of those that are added later. */
  const takeRate = (text: string) => {
    if (!text.endsWith('%')) return undefined
    const rules = { decimalMark: format.decimalSeparator, decimals: 3, max: 100 }
    const rate = readNumber(text.slice(0, -1), rules)
    if ('fault' in rate) return rate.fault
    onChange((now) => ({
      ...now,
      tax: '',
      taxRate: rate.number,
      lines: now.lines.map((line) => ({ ...line, taxRate: undefined })),
    }))
    return null
  }
  const field = (name: 'discount' | 'tax', label: string, placeholder: number) => (
    <>
      <dt>
        <label htmlFor={name}>{label}</label>
      </dt>
      <dd>
        <NumberField
          id={name}
          value={draft[name]}
          onChange={(amount) => onChange((now) => ({ ...now, [name]: amount }))}
          {...(name === 'tax' && { onOther: takeRate })}
          decimals={format.decimals}
          currency={format.currency}
          placeholder={placeholder === 0 ? '0' : placeholder.toFixed(format.decimals)}
          error={errors[name]}
          w={110}
          styles={{ input: { textAlign: 'right' } }}
        />
      </dd>
    </>
  )
  const goods = goodsValue(subtotal, draft.discount, format.decimals)
  // without taxes, the label leaves out the rate of 0%
  const isOneRate =
    draft.tax === '' &&
    draft.taxRate !== '' &&
    figures.every(({ taxRate }) => taxRate === draft.taxRate) &&
    (draft.taxRate > 0 || (terms?.taxRate ?? 0) > 0)
  return (
    <>
      <dl className={classes.totals} aria-label="Totals">
        <dt>Subtotal</dt>
        <dd>{format.money(subtotal)}</dd>
        {field('discount', 'Discount', 0)}
        {field('tax', isOneRate ? `Tax, ${draft.taxRate}% of each line` : 'Tax', tax)}
        <dt>Total</dt>
        <dd className={classes.total}>
          {format.money(goods + (draft.tax === '' ? tax : Number(draft.tax)))}
          {withoutCost > 0 && <Text size="xs">{`+ ${format.many(withoutCost, 'line')} without cost`}</Text>}
        </dd>
      </dl>
      {terms && figures.length > 0 && <Gap terms={terms} goods={goods} figures={figures} />}
    </>
  )
}

function Gap({
  terms,
  goods,
  figures,
}: {
  terms: SupplierTerms
  goods: number
  figures: readonly Figures[]
}) {
  const format = useFormat(terms.currency)
  const { minimumOrderValue, minimumOrderQuantity, freeFreightValue } = terms
  const pieces = figures.reduce((sum, { quantity }) => sum + quantity, 0)
  const shortBy = (minimumOrderValue ?? 0) - goods
  const piecesShort = (minimumOrderQuantity ?? 0) - pieces
  const toFreeFreight = (freeFreightValue ?? 0) - goods
  const gaps = [
    ...(shortBy > 0 ? [`${format.money(shortBy)} short of the supplier’s minimum`] : []),
    ...(piecesShort > 0 ? [`${format.many(piecesShort, 'piece')} short of the supplier’s minimum`] : []),
  ]
  if (gaps.length > 0) {
    return (
      <Text size="sm" ta="right">
        <strong>{gaps.join(' and ')}</strong>. After you save the draft, Top up fills the gap.
      </Text>
    )
  }
  if (toFreeFreight <= 0) return null
  return (
    <Text size="sm" c="dimmed" ta="right">
      {format.money(toFreeFreight)} more for free freight
    </Text>
  )
}
