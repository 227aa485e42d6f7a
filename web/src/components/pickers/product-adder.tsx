import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { requestAll } from '../../api/request.ts'
import { notifyDone, notifyRefused } from '../feedback/notify.ts'
import { useFormat } from '../shop/format.ts'
import { BrowseDialog } from './browse/browse-dialog.tsx'
import { type ChosenVariant, chosenOf, suggestedOf } from './browse/chosen.ts'
import classes from './product-adder.module.css'
import { VariantPicker } from './variant-picker.tsx'

type Props = {
  /** The supplier of the order, for costs and for its low products. */
  supplierId?: number | null
  /** On orders: adds the low products of the supplier with one click, with their suggested quantities. */
  hasLow?: boolean
  hasQuantity?: boolean
  /** Neither reads nor shows quantities. */
  hideStock?: boolean | undefined
  /** The variants of the form's lines. */
  onForm: readonly { variantId: string }[]
  onAdd: (chosen: ChosenVariant[]) => void
  error?: string | undefined
}

/** Adds products to a form: one by a search or a scan, several from a list, or all that the supplier should refill. */
export function ProductAdder(props: Props) {
  const { supplierId, hasLow = false, hasQuantity = true, hideStock, onForm, onAdd, error } = props
  const { many } = useFormat()
  const [isBrowsing, setBrowsing] = useState(false)
  const ids = new Set(onForm.map(({ variantId }) => variantId))
  const addLow = useMutation({
    mutationFn: async (ofSupplier: number) =>
      requestAll('GET /variants', { query: { low: 'supplier', supplierId: ofSupplier, limit: 250 } }, 2),
    onSuccess: ({ records, isComplete }) => {
      const missing = records.filter(
        ({ variantId, suggestedQuantity }) => !ids.has(variantId) && suggestedQuantity !== 0,
      )
      onAdd(missing.map((variant) => chosenOf(variant, suggestedOf(variant))))
      const first = isComplete ? '' : ` (the first ${records.length})`
      notifyDone(
        missing.length === 0
          ? `No further product of this supplier is low${first}`
          : `${many(missing.length, 'low product')} added${first}`,
      )
    },
    onError: notifyRefused,
  })
  return (
    <div className={classes.adder}>
      <div className={classes.search}>
        <VariantPicker
          label="Add a product"
          supplierId={supplierId ?? null}
          hideStock={hideStock}
          onPick={(variant) => onAdd([{ ...variant, quantity: 1 }])}
          error={error}
        />
      </div>
      <div className={classes.buttons}>
        <Button variant="default" onClick={() => setBrowsing(true)}>
          Browse products
        </Button>
        {hasLow && supplierId && (
          <Button
            variant="default"
            leftSection={<IconPlus size={16} />}
            loading={addLow.isPending}
            onClick={() => addLow.mutate(supplierId)}
          >
            Add low products
          </Button>
        )}
      </div>
      {isBrowsing && (
        <BrowseDialog
          supplierId={supplierId}
          hasQuantity={hasQuantity}
          hideStock={hideStock}
          hasSuggested={hasLow}
          isOnForm={(variantId) => ids.has(variantId)}
          onAdd={onAdd}
          onClose={() => setBrowsing(false)}
        />
      )}
    </div>
  )
}
