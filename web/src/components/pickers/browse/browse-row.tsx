import { Checkbox } from '@mantine/core'
import { useId } from 'react'
import type { VariantListItem } from '../../../../../shared/schemas/variants.ts'
import { QuantityField } from '../../forms/quantity-field.tsx'
import { useFormat } from '../../shop/format.ts'
import { ProductPicture } from '../product-picture.tsx'
import classes from './browse.module.css'
import type { ChosenVariant } from './chosen.ts'

type Props = {
  variant: VariantListItem
  /** Undefined: not ticked. */
  chosen: ChosenVariant | undefined
  hasQuantity: boolean
  isOnForm: boolean
  onToggle: (isOn: boolean) => void
  onQuantity: (quantity: number) => void
}

/** A product with its picture, its stock and how fast it sells beside the quantity. */
export function BrowseRow({ variant, chosen, hasQuantity, isOnForm, onToggle, onQuantity }: Props) {
  const id = useId()
  const { count } = useFormat()
  const { title, sku, isTracked, currentStock, soldPerDay, suggestedQuantity, pictureUrl } = variant
  const facts = [
    sku || 'no SKU',
    ...(isTracked ? [] : ['stock not tracked']),
    ...(currentStock === null ? [] : [`${count(currentStock)} in stock`]),
    ...(soldPerDay === null ? [] : [`sells ${count(soldPerDay)} a day`]),
    ...(suggestedQuantity === null ? [] : [`low, ${count(suggestedQuantity)} suggested`]),
    ...(isOnForm ? ['already added'] : []),
  ]
  return (
    <li className={classes.row} data-chosen={chosen !== undefined || undefined}>
      <label className={classes.product} htmlFor={id}>
        <Checkbox
          id={id}
          checked={chosen !== undefined}
          onChange={(event) => onToggle(event.currentTarget.checked)}
          aria-label={title}
        />
        <ProductPicture url={pictureUrl} />
        <span className={classes.words}>
          <span className={classes.title}>{title}</span>
          <span className={classes.facts}>{facts.join(' · ')}</span>
        </span>
      </label>
      {hasQuantity && chosen && (
        <QuantityField
          label={`Quantity of ${title}`}
          value={chosen.quantity > 0 ? chosen.quantity : ''}
          onChange={(quantity) => onQuantity(Number(quantity) || 0)}
        />
      )}
    </li>
  )
}
