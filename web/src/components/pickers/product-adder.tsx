import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { requestAll } from '../../api/request.ts'
import { notifyDone, notifyRefused } from '../feedback/notify.ts'
import { useLookup } from '../forms/lookups.ts'
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

/**
 * Adds products to a form: one by a search or a scan (the barcode of a pack adds its pieces), several from a list, or all that the
 * supplier should refill.
 */
export function ProductAdder(props: Props) {
  const { supplierId, hasLow = false, hasQuantity = true, hideStock, onForm, onAdd, error } = props
  const [isBrowsing, setBrowsing] = useState(false)
  const ids = new Set(onForm.map(({ variantId }) => variantId))
  const isOnForm = (variantId: string) => ids.has(variantId)
  return (
    <div className={classes.adder}>
      <div className={classes.search}>
        <VariantPicker
          label="Add a product"
          supplierId={supplierId ?? null}
          hideStock={hideStock}
          packs
          onPick={(variant, pieces) => onAdd([{ ...variant, quantity: pieces }])}
          error={error}
        />
      </div>
      <div className={classes.buttons}>
        <Button variant="default" onClick={() => setBrowsing(true)}>
          Browse products
        </Button>
        {hasLow && supplierId && (
          <AddLow key={supplierId} supplierId={supplierId} isOnForm={isOnForm} onAdd={onAdd} />
        )}
      </div>
      {isBrowsing && (
        <BrowseDialog
          supplierId={supplierId}
          hasQuantity={hasQuantity}
          hideStock={hideStock}
          hasSuggested={hasLow}
          isOnForm={isOnForm}
          onAdd={onAdd}
          onClose={() => setBrowsing(false)}
        />
      )}
    </div>
  )
}

type LowProps = Pick<Props, 'onAdd'> & { supplierId: number; isOnForm: (variantId: string) => boolean }

/** Has the supplier as its key: an answer is dropped when the form has another supplier by then, or was left. */
function AddLow({ supplierId, ...form }: LowProps) {
  const { many } = useFormat()
  const newest = useRef(form)
  newest.current = form
  const read = useMutation({
    mutationFn: async () =>
      requestAll('GET /variants', { query: { low: 'supplier', supplierId, limit: 250 } }, 2),
  })
  useLookup(read.isPending ? 'low products' : null)
  const add = ({ records, isComplete }: NonNullable<typeof read.data>) => {
    const { isOnForm, onAdd } = newest.current
    const missing = records.filter(
      ({ variantId, suggestedQuantity }) => !isOnForm(variantId) && suggestedQuantity !== 0,
    )
    onAdd(missing.map((variant) => chosenOf(variant, suggestedOf(variant))))
    const first = isComplete ? '' : ` (the first ${records.length})`
    notifyDone(
      missing.length === 0
        ? `No further product of this supplier is low${first}`
        : `${many(missing.length, 'low product')} added${first}`,
    )
  }
  return (
    <Button
      variant="default"
      leftSection={<IconPlus size={16} />}
      loading={read.isPending}
      onClick={() => read.mutate(undefined, { onSuccess: add, onError: notifyRefused })}
    >
      Add low products
    </Button>
  )
}
